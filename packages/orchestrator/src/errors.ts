/** What a use-case refuses, with codes that the apps show. */
import { type Diagnostic, formatDiagnostic } from '@assay/campaign'
import { AssayError, errorKindOf } from '@assay/model'

/**
 * The YAML has mistakes; `details.diagnostics` lists them all as lines with their places, and
 * `details.faults` in parts.
 */
export const campaignInvalid = (faults: readonly Diagnostic[]): AssayError => {
  const diagnostics = faults.map(formatDiagnostic)
  return new AssayError({
    code: 'campaign-invalid',
    kind: 'usage',
    message: diagnostics.join('\n'),
    details: { diagnostics, faults },
  })
}

/** `--only` and `--skip` left nothing to measure. */
export const selectionEmpty = (): AssayError =>
  new AssayError({
    code: 'selection-empty',
    kind: 'usage',
    message: 'only/skip leave no block to measure; `assay plan` lists what there is',
  })

/** `--only` or `--skip` with a key or value that no block has: a typo. */
export const selectionUnknown = (text: string): AssayError =>
  new AssayError({
    code: 'selection-unknown',
    kind: 'usage',
    message: `no block of the campaign has ${text}; \`assay plan\` lists what there is`,
  })

/** The block was given up on purpose: a person or a drain stopped it between rounds. */
export const interrupted = (): AssayError =>
  new AssayError({
    code: 'interrupted',
    kind: 'gone',
    message: 'measuring was stopped; finished rounds are saved, `assay resume` goes on',
  })

/** The lease could not be renewed in time or the run was cancelled: nothing more may be written. */
export const leaseLost = (why: string): AssayError =>
  new AssayError({ code: 'lease-lost', kind: 'gone', message: `the block was given up: ${why}` })

/** The server answered with a problem; its code and kind are kept. */
export const serverRefused = (problem: {
  readonly code: string
  readonly status: number
  readonly detail: string
}): AssayError =>
  new AssayError({
    code: problem.code,
    kind: errorKindOf(problem.status),
    message: problem.detail,
  })

/** Nobody answers at an address. */
export const serverUnreachable = (url: string, cause: unknown): AssayError =>
  new AssayError({
    code: 'server-unreachable',
    kind: 'unmeasurable',
    message: `no server answers at ${url}: start \`assay serve\` there, or correct the address`,
    cause,
  })

/** Whether a server does not know the token, or does not let it do this: asking again is no use. */
const isAccessRefused = (error: unknown): error is AssayError =>
  error instanceof AssayError && (error.kind === 'unauthenticated' || error.kind === 'forbidden')

/** Whether a worker cannot be of use to a server, whatever it does: another token, or another build. */
export const isRefusedForGood = (error: unknown): error is AssayError =>
  isAccessRefused(error) || (error instanceof AssayError && error.code === 'worker-version-differs')

/** Faults of the host: no other block would fare better on it. */
const hostFaults: ReadonlySet<string> = new Set([
  'host-busy',
  'host-lock-failed',
  'host-unreadable',
])

/** Whether an error is about one block, such as a launcher that died under it: others may go on. */
export const isOfBlock = (error: unknown): boolean =>
  error instanceof AssayError &&
  ['unmeasurable', 'conflict'].includes(error.kind) &&
  !hostFaults.has(error.code)

/** `rerun --failed` of a run in which nothing failed. */
export const nothingFailed = (runId: string): AssayError =>
  new AssayError({
    code: 'nothing-failed',
    kind: 'usage',
    message: `no cell of run ${runId} failed; without --failed the whole run is measured again`,
  })

/** What answers at the server's address is no Assay of this version; a proxy's page, for instance. */
export const serverUnintelligible = (url: string, status: number, text: string): AssayError =>
  new AssayError({
    code: 'server-unintelligible',
    kind: 'unmeasurable',
    message: `${url} answers with status ${status} and what is no answer of Assay ("${text.slice(0, 80)}"); check the address, and that server and worker are of one version`,
  })

/** No cell of that id in the run. */
export const cellUnknown = (cell: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'cell-unknown',
    kind: 'not-found',
    message: `no cell "${cell}" in this run; it has ${known.join(', ')}`,
    details: { known },
  })

/** Nothing a person could type does what this cell does. */
export const notReproducible = (cell: string, why: string): AssayError =>
  new AssayError({
    code: 'not-reproducible',
    kind: 'unmeasurable',
    message: `cell ${cell} cannot be reproduced: ${why}`,
  })

/** No sample of the run has a metric of that name: a typo, or the engine does not report it. */
export const metricUnknown = (metric: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'metric-unknown',
    kind: 'usage',
    message: `no sample has a metric ${JSON.stringify(metric)}; there are ${known.join(', ')}`,
    details: { known },
  })

/** A review of cells that are no rows of the report: a baseline is compared with nothing. */
export const rowsNotCompared = (
  cells: readonly string[],
  compared: readonly string[],
): AssayError =>
  new AssayError({
    code: 'review-rows-not-compared',
    kind: 'usage',
    message: `${cells.join(', ')}: compared with nothing; rows that can be reviewed are ${compared.join(', ')}`,
    details: { cells, compared },
  })

/** Measuring again, or a shell line, of what another tool measured. */
export const runImported = (runId: string): AssayError =>
  new AssayError({
    code: 'run-imported',
    kind: 'usage',
    message: `run ${runId} was imported: Assay did not measure it and does not know how; measure again where the file came from, and import that`,
  })

/** `compare` with one run on both sides. */
export const runAgainstItself = (runId: string): AssayError =>
  new AssayError({
    code: 'run-against-itself',
    kind: 'usage',
    message: `both sides are run ${runId}; \`assay runs\` lists others`,
  })
