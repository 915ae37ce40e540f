/** SQL of the tables `sample`, `metric` and `metric_name`. */
import type { Outcome } from '@assay/model'
import type { Preparer } from '../statement.ts'

/** A sample without its metrics. */
export interface SampleRow {
  readonly roundKey: number
  readonly position: number
  readonly cellId: string
  readonly outcome: Outcome
  readonly exitCode: number | null
  readonly signal: string | null
  readonly wallSeconds: number
  readonly userSeconds: number
  readonly systemSeconds: number
  readonly peakRssBytes: number | null
  readonly minorFaults: number
  readonly majorFaults: number
  readonly voluntarySwitches: number
  readonly involuntarySwitches: number
  readonly blocksIn: number
  readonly blocksOut: number
  readonly loops: number
  readonly stackPaddingBytes: number
  readonly stderr: string
}

/** A sample with its place in the run. */
export interface PlacedSampleRow extends SampleRow {
  readonly blockPosition: number
  readonly take: number
  readonly warmup: 0 | 1
  readonly round: number
}

const columns = `
  s.round_key AS roundKey, s.position, c.id AS cellId, s.outcome, s.exit_code AS exitCode, s.signal,
  s.wall_seconds AS wallSeconds, s.user_seconds AS userSeconds, s.system_seconds AS systemSeconds,
  s.peak_rss_bytes AS peakRssBytes, s.minor_faults AS minorFaults, s.major_faults AS majorFaults,
  s.voluntary_switches AS voluntarySwitches, s.involuntary_switches AS involuntarySwitches,
  s.blocks_in AS blocksIn, s.blocks_out AS blocksOut, s.loops,
  s.stack_padding_bytes AS stackPaddingBytes, s.stderr
`

type NewSample = Omit<SampleRow, 'cellId'> & { readonly cellKey: number }
type PageKey = {
  runKey: number
  block: number
  take: number
  warmup: number
  round: number
  position: number
  limit: number
  blockKey: number | null
  cellKey: number | null
}

/** Statements of this family. */
export const sampleStatements = ({ command, query }: Preparer) => ({
  insert: command<[NewSample]>(`
    INSERT INTO sample (round_key, position, cell_key, outcome, exit_code, signal, wall_seconds,
      user_seconds, system_seconds, peak_rss_bytes, minor_faults, major_faults, voluntary_switches,
      involuntary_switches, blocks_in, blocks_out, loops, stack_padding_bytes, stderr)
    VALUES (:roundKey, :position, :cellKey, :outcome, :exitCode, :signal, :wallSeconds,
      :userSeconds, :systemSeconds, :peakRssBytes, :minorFaults, :majorFaults, :voluntarySwitches,
      :involuntarySwitches, :blocksIn, :blocksOut, :loops, :stackPaddingBytes, :stderr)
  `),
  ofRound: query<[number], SampleRow>(`
    SELECT ${columns} FROM sample AS s JOIN cell AS c ON c.cell_key = s.cell_key
    WHERE s.round_key = ? ORDER BY s.position
  `),
  /** By block, take, warmups last, round, position; from after a key, whose block bounds the walk. */
  page: query<[PageKey], PlacedSampleRow>(`
    SELECT ${columns}, b.position AS blockPosition, t.number AS take, r.warmup, r.number AS round
    FROM block AS b
    CROSS JOIN take AS t ON t.block_key = b.block_key
    CROSS JOIN round AS r ON r.take_key = t.take_key
    CROSS JOIN sample AS s ON s.round_key = r.round_key
    CROSS JOIN cell AS c ON c.cell_key = s.cell_key
    WHERE b.run_key = :runKey AND b.position >= :block
      AND (:blockKey IS NULL OR b.block_key = :blockKey)
      AND (:cellKey IS NULL OR s.cell_key = :cellKey)
      AND (b.position, t.number, r.warmup, r.number, s.position)
        > (:block, :take, :warmup, :round, :position)
    ORDER BY b.position, t.number, r.warmup, r.number, s.position
    LIMIT :limit
  `),
  metricsOfRound: query<[number], { position: number; name: string; value: number }>(`
    SELECT m.position, n.name, m.value
    FROM metric AS m JOIN metric_name AS n ON n.name_key = m.name_key
    WHERE m.round_key = ? ORDER BY m.position, n.name
  `),
  metricNameKey: query<[string], { nameKey: number }>(`
    SELECT name_key AS nameKey FROM metric_name WHERE name = ?
  `),
  insertMetricName: command<[string]>('INSERT INTO metric_name (name) VALUES (?)'),
  insertMetric: command<[roundKey: number, position: number, nameKey: number, value: number]>(
    'INSERT INTO metric (round_key, position, name_key, value) VALUES (?, ?, ?, ?)',
  ),
})
