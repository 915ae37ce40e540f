/** SQL that reads one metric of a run from the tables `sample` and `metric`. */
import type { Outcome } from '@assay/model'
import type { Preparer } from '../statement.ts'

/** A sample as evidence of one metric. */
export interface EvidenceRow {
  readonly cellKey: number
  readonly round: number
  readonly position: number
  readonly outcome: Outcome
  readonly value: number | null
  readonly loops: number
  /** Null for nearly all: none. */
  readonly stragglers: number | null
}

/** The value of each usage metric that can be judged, as SQL over the sample `s`. */
const usageMetrics = {
  wallSeconds: 's.wall_seconds',
  cpuSeconds: 's.user_seconds + s.system_seconds',
  userSeconds: 's.user_seconds',
  systemSeconds: 's.system_seconds',
  peakRssBytes: 's.peak_rss_bytes',
  minorFaults: 's.minor_faults',
  majorFaults: 's.major_faults',
  voluntarySwitches: 's.voluntary_switches',
  involuntarySwitches: 's.involuntary_switches',
  blocksIn: 's.blocks_in',
  blocksOut: 's.blocks_out',
} as const

/** The value of a metric by its name, given in SQL, of the sample `s`. */
const metricNamed = (name: string) => `(
    SELECT m.value FROM metric AS m
    WHERE m.round_key = s.round_key AND m.position = s.position
      AND m.name_key = (SELECT name_key FROM metric_name WHERE name = ${name})
  )`

const evidence = (value: string) => `
  SELECT s.cell_key AS cellKey, r.number AS round, s.position, s.outcome, s.loops, ${value} AS value,
    ${metricNamed("'stragglers'")} AS stragglers
  FROM block AS b
  JOIN take AS t ON t.block_key = b.block_key
    AND t.number = (SELECT max(number) FROM take WHERE block_key = b.block_key)
  JOIN round AS r ON r.take_key = t.take_key AND r.warmup = 0
  JOIN sample AS s ON s.round_key = r.round_key
  WHERE b.run_key = :runKey
  ORDER BY b.position, r.number, s.position
`

/** Statements of this family: one for each usage metric, one for all metrics by name. */
export const evidenceStatements = ({ query }: Preparer) => ({
  byUsage: new Map(
    Object.entries(usageMetrics).map(([name, value]) => [
      name,
      query<[{ runKey: number }], EvidenceRow>(evidence(value)),
    ]),
  ),
  byMetric: query<[{ runKey: number; metric: string }], EvidenceRow>(
    evidence(metricNamed(':metric')),
  ),
})
