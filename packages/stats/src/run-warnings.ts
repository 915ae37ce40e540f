/** Things to know about a whole run: they travel with its report and change no verdict. */
import type { Evidence, ReportBlock, Warning } from '@assay/model'
import { counted, isTime } from './sentences.ts'

/** What the judgement of the rows found out about the run. */
export interface RunFacts {
  readonly flaggedSelfChecks: number
  readonly selfChecks: number
  readonly fingerprints: number
  readonly blocks: readonly ReportBlock[]
}

/** The most cells that a warning names. */
const mostNamed = 3

/** Which cells left something behind, and what the first of their hooks had to say. */
const cleanupWarnings = (blocks: readonly ReportBlock[]): Warning[] => {
  const faulty = blocks
    .flatMap(({ rows }) => rows)
    .flatMap(({ cellId, label, cleanupFault: fault }) =>
      fault === undefined ? [] : [{ name: `${label} (${cellId})`, fault }],
    )
  const [first] = faulty
  if (first === undefined) return []
  const names = faulty.slice(0, mostNamed).map(({ name }) => name)
  const more = faulty.length - names.length
  const which = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const message = `Cleaning up after ${which} failed: ${first.fault}. The samples stand, but what it should have removed may still be there.`
  return [{ code: 'cleanup-failed', message }]
}

/** The warnings of a run, in a fixed order. */
export const runWarnings = ({ run, metric, pairing }: Evidence, facts: RunFacts): Warning[] => {
  const warnings: Warning[] = []
  if (run.status !== 'complete') {
    const message = `The run is ${run.status}: verdicts are on what was measured so far.`
    warnings.push({ code: 'run-incomplete', message })
  }
  if (pairing === 'unpaired') {
    const message =
      'The sides were not measured in turn: a drift of the host between them would look like a change.'
    warnings.push({ code: 'not-interleaved', message })
  }
  if (facts.flaggedSelfChecks > 0) {
    const message = `${facts.flaggedSelfChecks} of ${counted(facts.selfChecks, 'self-check')} found the baseline to differ from itself: flagged rows are suspect. Quiet the host and run again.`
    warnings.push({ code: 'self-check-flagged', message })
  }
  if (facts.fingerprints > 1) {
    const message = `Blocks were measured on ${facts.fingerprints} hosts or host states: compare within a block only.`
    warnings.push({ code: 'several-hosts', message })
  }
  if (run.plan.verdict.minDifferenceSeconds > 0 && !isTime(metric.unit)) {
    const message = `The smallest difference is in seconds and does not apply to ${metric.name} in ${metric.unit}.`
    warnings.push({ code: 'min-difference-ignored', message })
  }
  return [...warnings, ...cleanupWarnings(facts.blocks)]
}
