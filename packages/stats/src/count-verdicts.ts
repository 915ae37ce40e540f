/** How many comparisons ended with each verdict. */
import type { ReportBlock, Verdict, VerdictCounts } from '@assay/model'

/** Candidates by verdict; self-checks are not results and are not counted. */
export const countVerdicts = (blocks: readonly ReportBlock[]): VerdictCounts => {
  const verdicts = blocks
    .flatMap((block) => block.rows)
    .filter((row) => row.role === 'candidate')
    .map((row) => row.comparison?.verdict)
  const countOf = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length
  return {
    regression: countOf('regression'),
    improvement: countOf('improvement'),
    unchanged: countOf('unchanged'),
    inconclusive: countOf('inconclusive'),
    failed: countOf('failed'),
    unsupported: countOf('unsupported'),
    'not-comparable': countOf('not-comparable'),
    'no-baseline': countOf('no-baseline'),
    indicative: countOf('indicative'),
  }
}
