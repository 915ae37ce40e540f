/** Everything the store refuses, each with a stable code and what to do about it. */
import { AssayError, type RunStatus } from '@assay/model'

/** `store-busy`: another process is the writer. */
export const storeBusy = (path: string, holder: number | null): AssayError =>
  new AssayError({
    code: 'store-busy',
    kind: 'conflict',
    message:
      `${path} is being written by ${holder === null ? 'another process' : `process ${holder}`}: ` +
      'wait until it ends; if it is `assay serve`, name it with `--server URL` where a command ' +
      'takes that, or start the run over HTTP: POST /api/v1/runs',
    details: { path, holder },
  })

/** `store-missing`: there is nothing to read. */
export const storeMissing = (path: string): AssayError =>
  new AssayError({
    code: 'store-missing',
    kind: 'not-found',
    message: `there is no store at ${path}: run a campaign first, or name another with \`--db FILE\``,
    details: { path },
  })

/** `store-unopenable`: the system lets nobody read or write there. */
export const storeUnopenable = (path: string, cause: unknown): AssayError =>
  new AssayError({
    code: 'store-unopenable',
    kind: 'usage',
    message: `${path} cannot be opened (${cause instanceof Error ? cause.message : String(cause)}): name a file in a folder that can be written with \`--db FILE\``,
    details: { path },
    cause,
  })

/** `store-corrupt`: the file is no SQLite database, is damaged, or belongs to another program. */
export const storeCorrupt = (path: string, why: string, cause?: unknown): AssayError =>
  new AssayError({
    code: 'store-corrupt',
    kind: 'internal',
    message: `${path} cannot be used as a store: ${why}; name another with \`--db FILE\` or restore a backup`,
    details: { path },
    cause,
  })

/** `store-corrupt` too: a stored JSON value that is not what this program writes. */
export const valueCorrupt = (what: string, cause: unknown): AssayError =>
  new AssayError({
    code: 'store-corrupt',
    kind: 'internal',
    message: `the store holds a ${what} that cannot be read: it was changed by another program; restore a backup`,
    details: { what },
    cause,
  })

/** `store-too-new`: written by a later Assay. */
export const storeTooNew = (path: string, version: number, known: number): AssayError =>
  new AssayError({
    code: 'store-too-new',
    kind: 'conflict',
    message: `${path} has schema ${version}, this program knows up to ${known}: use a newer Assay`,
    details: { path, version, known },
  })

/** `store-too-old`: a reader cannot bring a store up to date. */
export const storeTooOld = (path: string, version: number, known: number): AssayError =>
  new AssayError({
    code: 'store-too-old',
    kind: 'conflict',
    message: `${path} has schema ${version}, this program reads ${known}: open it for writing once (any \`assay run\`) to bring it up to date`,
    details: { path, version, known },
  })

/** `store-read-only`: a write on a store that was opened for reading. */
export const storeReadOnly = (path: string): AssayError =>
  new AssayError({
    code: 'store-read-only',
    kind: 'internal',
    message: `${path} was opened for reading: open it with write access`,
    details: { path },
  })

/** `bad-cursor`: not a cursor that a page gave out. */
export const badCursor = (cursor: string): AssayError =>
  new AssayError({
    code: 'bad-cursor',
    kind: 'usage',
    message: `"${cursor}" is not a cursor: take \`nextCursor\` of the page before, or none for the first page`,
    details: { cursor },
  })

/** `campaign-not-found` */
export const campaignNotFound = (digest: string, name: string): AssayError =>
  new AssayError({
    code: 'campaign-not-found',
    kind: 'not-found',
    message: `campaign ${name} (${digest}) is not in the store: save it before its first run`,
    details: { digest, name },
  })

/** `run-not-found` */
export const runNotFound = (reference: string): AssayError =>
  new AssayError({
    code: 'run-not-found',
    kind: 'not-found',
    message: `no run answers to "${reference}": give an id, the beginning of one, a name, \`latest\` or \`@-1\` (the run before it); \`assay runs\` lists them`,
    details: { reference },
  })

/** `gate-not-found`: the run was not started by a gate. */
export const gateNotFound = (runId: string): AssayError =>
  new AssayError({
    code: 'gate-not-found',
    kind: 'not-found',
    message: `run ${runId} was not started by a gate; \`GET /runs/${runId}/gate\` or \`assay gate --run ${runId}\` holds it against rules`,
    details: { runId },
  })

/** `run-ambiguous`: the beginning of more than one id. */
export const runAmbiguous = (reference: string, ids: readonly string[]): AssayError =>
  new AssayError({
    code: 'run-ambiguous',
    kind: 'usage',
    message: `"${reference}" is the beginning of several runs (${ids.join(', ')}): give more of the id`,
    details: { reference, ids },
  })

/** `run-exists`: an id is given out once. */
export const runExists = (id: string): AssayError =>
  new AssayError({
    code: 'run-exists',
    kind: 'conflict',
    message: `run ${id} is in the store already: start a run under a new id`,
    details: { id },
  })

/** `run-name-taken` */
export const runNameTaken = (name: string, id: string): AssayError =>
  new AssayError({
    code: 'run-name-taken',
    kind: 'conflict',
    message: `run ${id} is already called "${name}": choose another name`,
    details: { name, id },
  })

/** `run-name-reserved`: a name that already means something as a reference. */
export const runNameReserved = (name: string): AssayError =>
  new AssayError({
    code: 'run-name-reserved',
    kind: 'usage',
    message: `"${name}" cannot be a run's name: it may not be empty, \`latest\`, or begin with \`@\``,
    details: { name },
  })

/** `run-terminal`: what has ended never changes. */
export const runTerminal = (id: string, status: RunStatus): AssayError =>
  new AssayError({
    code: 'run-terminal',
    kind: 'conflict',
    message: `run ${id} is ${status} and stays so: start a new run`,
    details: { id, status },
  })

/** `block-not-found` */
export const blockNotFound = (runId: string, blockId: string): AssayError =>
  new AssayError({
    code: 'block-not-found',
    kind: 'not-found',
    message: `run ${runId} has no block ${blockId}: list its blocks to see which it has`,
    details: { runId, blockId },
  })

/** `cell-not-found` */
export const cellNotFound = (runId: string, cellId: string): AssayError =>
  new AssayError({
    code: 'cell-not-found',
    kind: 'not-found',
    message: `run ${runId} has no cell ${cellId}: list its cells to see which it has`,
    details: { runId, cellId },
  })

/** `block-terminal`: the block is done or dead; a delivery of it can be dropped. */
export const blockTerminal = (runId: string, blockId: string, status: string): AssayError =>
  new AssayError({
    code: 'block-terminal',
    kind: 'conflict',
    message: `block ${blockId} of run ${runId} is ${status}: there is nothing left to measure`,
    details: { runId, blockId, status },
  })

/** `take-held`: somebody else is measuring the block and is alive. */
export const takeHeld = (block: {
  readonly runId: string
  readonly blockId: string
  readonly worker: string
  readonly leaseUntil: number
}): AssayError =>
  new AssayError({
    code: 'take-held',
    kind: 'conflict',
    message: `block ${block.blockId} of run ${block.runId} is held by worker ${block.worker}: take another, or wait until its lease has run out`,
    details: { ...block },
  })

/** `take-stale`: the token does not allow writes any more (or never did). */
export const takeStale = (token: string, reason: string): AssayError =>
  new AssayError({
    code: 'take-stale',
    kind: 'gone',
    message: `this take is over (${reason}): stop measuring, nothing more of it is accepted`,
    details: { token, reason },
  })

interface BlockName {
  readonly runId: string
  readonly blockId: string
}

/** `take-foreign`: the token was handed out for another block than the one that is written to. */
export const takeForeign = (named: BlockName, held: BlockName): AssayError =>
  new AssayError({
    code: 'take-foreign',
    kind: 'usage',
    message: `the token is of block ${held.blockId} of run ${held.runId}, not of block ${named.blockId} of run ${named.runId}: send what was measured to its own block`,
    details: { named, held },
  })

/** `round-conflict`: the round is there with other contents. */
export const roundConflict = (round: {
  readonly blockId: string
  readonly number: number
  readonly warmup: boolean
  readonly savedDigest: string
  readonly digest: string
}): AssayError =>
  new AssayError({
    code: 'round-conflict',
    kind: 'conflict',
    message: `${round.warmup ? 'warmup' : 'round'} ${round.number} of block ${round.blockId} is saved with other contents: a round is measured once, go on with the next number`,
    details: { ...round },
  })

/** `round-foreign-cell`: a sample of a cell that the block does not have. */
export const roundForeignCell = (blockId: string, cellId: string): AssayError =>
  new AssayError({
    code: 'round-foreign-cell',
    kind: 'usage',
    message: `cell ${cellId} is not in block ${blockId}: send only samples of the block that was taken`,
    details: { blockId, cellId },
  })

/** `round-malformed`: two samples claim the same cell or the same place in the order. */
export const roundMalformed = (blockId: string, why: string): AssayError =>
  new AssayError({
    code: 'round-malformed',
    kind: 'usage',
    message: `a round of block ${blockId} ${why}: each cell is measured at most once a round, each at its own position`,
    details: { blockId },
  })

/** `finish-foreign-cell`: the end of a cell that the block does not have. */
export const finishForeignCell = (blockId: string, cellId: string): AssayError =>
  new AssayError({
    code: 'finish-foreign-cell',
    kind: 'usage',
    message: `cell ${cellId} is not in block ${blockId}: report the ends of the block's own cells`,
    details: { blockId, cellId },
  })

/** `finish-incomplete`: a block cannot be done while one of its cells is open. */
export const finishIncomplete = (blockId: string, cellIds: readonly string[]): AssayError =>
  new AssayError({
    code: 'finish-incomplete',
    kind: 'usage',
    message: `block ${blockId} cannot end without saying how ${cellIds.join(', ')} ended`,
    details: { blockId, cellIds },
  })

/** `token-not-found` */
export const tokenNotFound = (id: string): AssayError =>
  new AssayError({
    code: 'token-not-found',
    kind: 'not-found',
    message: `there is no token with the id ${id}: list them to see which there are`,
    details: { id },
  })
