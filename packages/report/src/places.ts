/** Where a row stands, in one phrase: benchmark, dataset, and the keys that tell it from its like. */
import type { Comparison, Levels, Report, ReportBlock, ReportRow, Verdict } from '@assay/model'
import { sortedKeys } from './headings.ts'

/** A compared row with its place. */
export interface PlacedRow {
  readonly block: ReportBlock
  readonly row: ReportRow
  readonly comparison: Comparison
  readonly place: string
}

/** Verdicts from what needs a person first to what needs nobody. */
export const worstFirst: readonly Verdict[] = [
  'regression',
  'failed',
  'not-comparable',
  'no-baseline',
  'inconclusive',
  'indicative',
  'unsupported',
  'improvement',
  'unchanged',
]

/** The headings that name a place; all others only vary it. */
const namingKeys: readonly string[] = ['benchmark.name', 'data-env-vars.name']

/** Blocks by what the naming headings say: those that only other headings can tell apart. */
const namesakes = (blocks: readonly ReportBlock[]): Map<string, ReportBlock[]> => {
  const groups = new Map<string, ReportBlock[]>()
  for (const block of blocks) {
    const name = JSON.stringify(namingKeys.map((key) => block.headings[key] ?? null))
    const known = groups.get(name)
    if (known === undefined) groups.set(name, [block])
    else known.push(block)
  }
  return groups
}

/** The headings in which blocks differ, also by not having them. */
const differingKeys = (blocks: readonly ReportBlock[]): string[] =>
  sortedKeys(new Set(blocks.flatMap(({ headings }) => Object.keys(headings)))).filter(
    (key) => new Set(blocks.map(({ headings }) => headings[key])).size > 1,
  )

/** A heading's key without its family: `benchmark.variants.revs` -> `revs`. */
export const shortKey = (key: string): string =>
  key.replace(/^(benchmark\.variants|bin-env-vars|data-env-vars)\./, '')

const placeText = (headings: Levels, varying: readonly string[]): string => {
  const names = namingKeys.flatMap((key) => headings[key] ?? [])
  const levels = varying.flatMap((key) => {
    const level = headings[key]
    return level === undefined ? [] : [`${shortKey(key)} = ${level}`]
  })
  return [names.join(' on '), ...levels].filter((part) => part !== '').join(', ')
}

/** The place of every block: as short as tells it from all others. */
const placesOf = ({ blocks }: Report): ReadonlyMap<ReportBlock, string> =>
  new Map(
    [...namesakes(blocks).values()].flatMap((group) => {
      const keys = differingKeys(group)
      return group.map((block) => [block, placeText(block.headings, keys)] as const)
    }),
  )

/** Every compared row of a role, worst verdict first, else in the report's order. */
export const placedRows = (report: Report, role: ReportRow['role']): PlacedRow[] => {
  const places = placesOf(report)
  return report.blocks
    .flatMap((block) =>
      block.rows.flatMap((row) =>
        row.comparison === null || row.role !== role
          ? []
          : [{ block, row, comparison: row.comparison, place: places.get(block) ?? '' }],
      ),
    )
    .sort(
      (left, right) =>
        worstFirst.indexOf(left.comparison.verdict) - worstFirst.indexOf(right.comparison.verdict),
    )
}

/** `2 regressions, 1 improvement, 40 unchanged`: the verdicts that occur, worst first. */
export const verdictCountsText = (countOf: (verdict: Verdict) => number): string => {
  const parts = worstFirst.flatMap((verdict) => {
    const count = countOf(verdict)
    const isNoun = verdict === 'regression' || verdict === 'improvement'
    return count > 0 ? [`${count} ${verdict}${isNoun && count > 1 ? 's' : ''}`] : []
  })
  return parts.length === 0 ? 'nothing was compared' : parts.join(', ')
}

/** The verdicts of a report in one phrase. */
export const countsText = ({ counts }: Report): string =>
  verdictCountsText((verdict) => counts[verdict])
