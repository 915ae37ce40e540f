/**
 * Progress of a run: one line that is rewritten on a terminal, plain lines elsewhere. Elapsed time
 * is measured; remaining time is that of all rounds that can still come, and blocks may stop early.
 */
import type { Plan } from '@assay/model'
import type { Listener, ProgressEvent } from '@assay/orchestrator'
import type { Surroundings } from './config.ts'
import { durationText } from './time-text.ts'

/** Rounds that the blocks with something to measure can take at most; warmups are none. */
const mostRoundsOf = ({ blocks, sampling }: Plan): number =>
  blocks.filter(({ cells }) => cells.some(({ unsupported }) => unsupported === null)).length *
  sampling.rounds.max

/** Shows what happens; `close` ends the line. */
export interface Progress {
  readonly onEvent: Listener
  close(): void
}

const lineOf = (event: ProgressEvent): string | null => {
  switch (event.type) {
    case 'dataset':
      return event.done === event.total ? `dataset ${event.name} is ready` : null
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

/** Follows a run of `plan`, of which some blocks may have been finished before. */
export const showProgress = (
  plan: Plan,
  finishedBlockIds: readonly string[],
  surroundings: Surroundings,
): Progress => {
  const { err, isTerminal, now } = surroundings
  const beganAt = now()
  const mostRounds = mostRoundsOf(plan)
  const roundsPerBlock = plan.sampling.rounds.max
  const roundsByBlock = new Map(finishedBlockIds.map((id) => [id, roundsPerBlock]))
  let measured = 0
  let preparing = ''

  const statusLine = (): string => {
    const done = [...roundsByBlock.values()].reduce((sum, rounds) => sum + rounds, 0)
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
      preparing = `; preparing ${event.name}: ${event.done} of ${event.total} revisions`
    } else if (event.type === 'block-taken') {
      roundsByBlock.set(event.blockId, event.savedRounds)
    } else if (event.type === 'round-saved' && event.warmup) {
      preparing = `; block ${event.blockId}: warming up`
    } else if (event.type === 'round-saved') {
      measured += 1
      roundsByBlock.set(event.blockId, (roundsByBlock.get(event.blockId) ?? 0) + 1)
    } else if (event.type === 'block-finished') {
      roundsByBlock.set(event.blockId, roundsPerBlock)
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
