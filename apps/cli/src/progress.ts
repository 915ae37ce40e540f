/**
 * Progress of a run: one line that is rewritten on a terminal, plain lines elsewhere. Elapsed time
 * is measured; remaining time is that of all rounds that can still come: a block that stops early
 * takes those that it did not need off the most there can be.
 */
import type { Plan } from '@assay/model'
import type { Listener, ProgressEvent } from '@assay/orchestrator'
import type { Surroundings } from './config.ts'
import { durationText } from './time-text.ts'

/** Blocks with something to measure. */
const measurableIds = ({ blocks }: Plan): readonly string[] =>
  blocks
    .filter(({ cells }) => cells.some(({ unsupported }) => unsupported === null))
    .map(({ id }) => id)

/** Shows what happens; `close` ends the line. */
export interface Progress {
  readonly onEvent: Listener
  close(): void
}

const lineOf = (event: ProgressEvent): string | null => {
  switch (event.type) {
    case 'dataset':
      return event.total > 0 && event.done === event.total ? `dataset ${event.name} is ready` : null
    case 'block-taken':
      return event.savedRounds === 0
        ? `block ${event.blockId}: measuring`
        : `block ${event.blockId}: going on after round ${event.savedRounds}`
    case 'host-waiting':
      return `block ${event.blockId}: waiting until nothing else is measured on this host`
    case 'block-finished':
      return `block ${event.blockId}: finished (${event.stopReason})`
    case 'block-given-up':
      return `block ${event.blockId}: given up: ${event.reason}`
    case 'cell-failed':
      return `cell ${event.cellId}: failed: ${event.reason}`
    case 'cleanup-failed':
      return `cell ${event.cellId}: cleaning up failed: ${event.reason}`
    case 'round-saved':
      return null
  }
}

/** Follows a run of `plan`; of the blocks that were finished before, how many rounds they took. */
export const showProgress = (
  plan: Plan,
  finished: ReadonlyMap<string, number>,
  surroundings: Surroundings,
): Progress => {
  const { err, isTerminal, now } = surroundings
  const beganAt = now()
  const blockIds = measurableIds(plan)
  const roundsByBlock = new Map(finished)
  const ended = new Set(finished.keys())
  let measured = 0
  let preparing = ''

  const statusLine = (): string => {
    const done = blockIds.reduce((sum, id) => sum + (roundsByBlock.get(id) ?? 0), 0)
    // Warmups are no rounds.
    const mostRounds = blockIds.reduce(
      (sum, id) => sum + (ended.has(id) ? (roundsByBlock.get(id) ?? 0) : plan.sampling.rounds.max),
      0,
    )
    const elapsed = (now() - beganAt) / 1000
    const share = mostRounds === 0 ? 1 : done / mostRounds
    const remaining =
      measured < 3
        ? ''
        : `, at most ${durationText((elapsed / measured) * (mostRounds - done))} left`
    return `${Math.floor(share * 100)} %, round ${done} of at most ${mostRounds}, ${durationText(elapsed)} elapsed${remaining}${preparing}`
  }
  const account = (event: ProgressEvent): void => {
    preparing = ''
    if (event.type === 'dataset') {
      // How many revisions come from elsewhere is known when they are here.
      const share = event.total === 0 ? '' : `: ${event.done} of ${event.total} revisions`
      preparing = `; preparing ${event.name}${share}`
    } else if (event.type === 'block-taken') {
      roundsByBlock.set(event.blockId, event.savedRounds)
    } else if (event.type === 'round-saved' && event.warmup) {
      preparing = `; block ${event.blockId}: warming up`
    } else if (event.type === 'round-saved') {
      measured += 1
      roundsByBlock.set(event.blockId, (roundsByBlock.get(event.blockId) ?? 0) + 1)
    } else if (event.type === 'block-finished') {
      ended.add(event.blockId)
    }
  }
  // Carriage return and "erase line" (ECMA-48): the status line is always the last one.
  const erase = isTerminal ? '\r\u001b[K' : ''
  return {
    onEvent(event) {
      account(event)
      const line = lineOf(event)
      if (line !== null) err(`${erase}${line}${isTerminal ? '' : ` [${statusLine()}]`}\n`)
      if (isTerminal) err(`${erase}${statusLine()}`)
    },
    close: () => err(erase),
  }
}
