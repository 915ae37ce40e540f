/** The rows of a page: in groups by dataset and benchmark, worst first, keys said once. */
import type {
  Comparison,
  Report,
  ReportBlock,
  ReportRow,
  RoundConditions,
  StoredSample,
} from '@assay/model'
import { sortedKeys } from '../headings.ts'
import { worstFirst } from '../places.ts'

/** A compared row with what it is compared to. */
export interface PageRow {
  /** The anchor of the row, the same in every printing of the run. */
  readonly id: string
  readonly block: ReportBlock
  readonly row: ReportRow
  readonly comparison: Comparison
  readonly baseline: ReportRow | null
  /** The judged samples of both sides; empty if none were handed in. */
  readonly samples: {
    readonly baseline: readonly StoredSample[]
    readonly candidate: readonly StoredSample[]
  }
  /** What the host was like in each judged round; empty if that was not handed in. */
  readonly conditions: readonly RoundConditions[]
}

/** A row in its group: the keys that its heading does not say, and whether the row above says them. */
export interface GroupedRow {
  readonly entry: PageRow
  readonly keys: readonly string[]
  readonly again: boolean
}

/** The rows of one benchmark on one dataset. */
export interface BenchmarkGroup {
  readonly benchmark: string
  /** The keys that all its blocks share, from `example`. */
  readonly shared: readonly string[]
  readonly example: ReportBlock
  readonly rows: readonly GroupedRow[]
}

export interface DatasetGroup {
  readonly dataset: string
  readonly benchmarks: readonly BenchmarkGroup[]
}

const datasetKey = 'data-env-vars.name'
const benchmarkKey = 'benchmark.name'

/** Every compared row of a role, in the report's order. */
export const pageRows = (
  report: Report,
  role: ReportRow['role'],
  measured: {
    /** Judged samples by cell. */
    readonly samples: ReadonlyMap<string, readonly StoredSample[]>
    /** Conditions by block. */
    readonly conditions: ReadonlyMap<string, readonly RoundConditions[]>
  },
): PageRow[] =>
  report.blocks.flatMap((block, blockAt) => {
    const { samples, conditions } = measured
    const baseline = block.rows.find((row) => row.role === 'baseline') ?? null
    return block.rows.flatMap((row, rowAt) =>
      row.comparison === null || row.role !== role
        ? []
        : [
            {
              id: `r-${blockAt + 1}-${rowAt + 1}`,
              block,
              row,
              comparison: row.comparison,
              baseline,
              samples: {
                baseline: baseline === null ? [] : (samples.get(baseline.cellId) ?? []),
                candidate: samples.get(row.cellId) ?? [],
              },
              conditions: conditions.get(block.blockId) ?? [],
            },
          ],
    )
  })

/** Negative if `left` needs a person before `right`: by verdict, then by the size of the effect. */
export const byUrgency = (left: PageRow, right: PageRow): number =>
  worstFirst.indexOf(left.comparison.verdict) - worstFirst.indexOf(right.comparison.verdict) ||
  (right.comparison.effect ?? 0) - (left.comparison.effect ?? 0)

/** Groups by a key; the group with the worst row first, and so inside. */
const grouped = <Key>(
  rows: readonly PageRow[],
  keyOf: (row: PageRow) => Key,
): (readonly [Key, readonly PageRow[]])[] => {
  const groups = new Map<Key, PageRow[]>()
  for (const row of [...rows].sort(byUrgency)) {
    const key = keyOf(row)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [row])
    else known.push(row)
  }
  return [...groups]
}

const otherKeys = (rows: readonly PageRow[]): string[] =>
  sortedKeys(new Set(rows.flatMap(({ block }) => Object.keys(block.headings)))).filter(
    (key) => key !== datasetKey && key !== benchmarkKey,
  )

/** Whether the blocks that have a key, at least two of them, disagree about it. */
const differs = (blocks: readonly ReportBlock[], key: string): boolean =>
  new Set(blocks.flatMap(({ headings }) => headings[key] ?? [])).size > 1

const benchmarkGroup = (
  benchmark: string,
  rows: readonly PageRow[],
  report: Report,
): BenchmarkGroup | null => {
  const [first] = rows
  if (first === undefined) return null
  const byBlock = grouped(rows, ({ block }) => block)
  const namesakes = report.blocks.filter(
    ({ headings }) => (headings[benchmarkKey] ?? '') === benchmark,
  )
  const isShared = (key: string): boolean =>
    byBlock.length === 1
      ? !differs(namesakes, key)
      : byBlock.every(([block]) => block.headings[key] === first.block.headings[key])
  const keys = otherKeys(rows)
  const own = keys.filter((key) => !isShared(key))
  return {
    benchmark,
    shared: keys.filter(isShared),
    example: first.block,
    rows: byBlock.flatMap(([, ofBlock]) =>
      ofBlock.map((entry, at) => ({ entry, keys: own, again: at > 0 })),
    ),
  }
}

/** All rows in their groups, worst first. */
export const groupRows = (report: Report, rows: readonly PageRow[]): DatasetGroup[] =>
  grouped(rows, ({ block }) => block.headings[datasetKey] ?? '').map(([dataset, ofDataset]) => ({
    dataset,
    benchmarks: grouped(ofDataset, ({ block }) => block.headings[benchmarkKey] ?? '').flatMap(
      ([benchmark, ofBenchmark]) => benchmarkGroup(benchmark, ofBenchmark, report) ?? [],
    ),
  }))
