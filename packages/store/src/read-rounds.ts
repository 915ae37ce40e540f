/** Rounds and samples as they were sent: what a resumed block goes on from, and pages of a run. */
import {
  conditionsSchema,
  type Round,
  type RoundConditions,
  type Sample,
  type StoredSample,
} from '@assay/model'
import type { Context } from './context.ts'
import { cursorOf, keyOf, type PageRequest } from './cursor.ts'
import { cellNotFound } from './errors.ts'
import { requireRunRow } from './find-run.ts'
import { parseColumn } from './json-column.ts'
import type { PlacedSampleRow, SampleRow } from './tables/sample.ts'

type Metrics = Readonly<Record<string, number>>

/** The metrics of each sample of a round, by position. */
const metricsOf = ({ statements }: Context, roundKey: number): ReadonlyMap<number, Metrics> => {
  const byPosition = new Map<number, Record<string, number>>()
  for (const { position, name, value } of statements.sample.metricsOfRound.all(roundKey)) {
    const metrics = byPosition.get(position) ?? {}
    metrics[name] = value
    byPosition.set(position, metrics)
  }
  return byPosition
}

const sampleFrom = (row: SampleRow, metrics: Metrics | undefined): Sample => ({
  cellId: row.cellId,
  position: row.position,
  outcome: row.outcome,
  exitCode: row.exitCode,
  signal: row.signal,
  usage: {
    wallSeconds: row.wallSeconds,
    userSeconds: row.userSeconds,
    systemSeconds: row.systemSeconds,
    peakRssBytes: row.peakRssBytes,
    minorFaults: row.minorFaults,
    majorFaults: row.majorFaults,
    voluntarySwitches: row.voluntarySwitches,
    involuntarySwitches: row.involuntarySwitches,
    blocksIn: row.blocksIn,
    blocksOut: row.blocksOut,
  },
  metrics: metrics ?? {},
  loops: row.loops,
  stackPaddingBytes: row.stackPaddingBytes,
  stderr: row.stderr,
})

/** The saved rounds of a take without warmups, by number. */
export const roundsOfTake = (context: Context, takeKey: number): readonly Round[] =>
  context.statements.round.ofTake.all(takeKey).map(({ roundKey, number, conditions }) => {
    const metrics = metricsOf(context, roundKey)
    return {
      number,
      warmup: false,
      conditions: parseColumn(conditionsSchema, conditions, 'record of conditions'),
      samples: context.statements.sample.ofRound
        .all(roundKey)
        .map((row) => sampleFrom(row, metrics.get(row.position))),
    }
  })

/** Conditions of every judged round of a run: of each block's last take, warmups left out. */
export const conditionsOfRun = (context: Context, runId: string): readonly RoundConditions[] => {
  const { runKey } = requireRunRow(context, runId)
  return context.statements.round.conditionsOfRun
    .all(runKey)
    .map(({ blockId, number, conditions }) => ({
      blockId,
      round: number,
      conditions: parseColumn(conditionsSchema, conditions, 'record of conditions'),
    }))
}

/** One page of samples. */
export interface SamplePage {
  readonly samples: readonly StoredSample[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

const keyFrom = (row: PlacedSampleRow): readonly number[] => [
  row.blockPosition,
  row.take,
  row.warmup,
  row.round,
  row.position,
]

/** Which samples are listed: those of one cell, or all. */
export interface SampleFilter {
  readonly cell?: string
}

const pageRows = (
  context: Context,
  run: { readonly runKey: number; readonly id: string },
  { limit, cursor, cell }: PageRequest & SampleFilter,
): PlacedSampleRow[] => {
  const { runKey, id } = run
  const only = cell === undefined ? null : context.statements.cell.keyOf.get(runKey, cell)
  if (only === undefined) throw cellNotFound(id, cell ?? '')
  const key = cursor === null ? [] : keyOf(cursor, 5)
  const [block = 0, take = 0, warmup = 0, round = 0, position = 0] = key
  return context.statements.sample.page.all({
    ...{ runKey, block, take, warmup, round, position },
    limit: limit + 1,
    ...{ blockKey: only?.blockKey ?? null, cellKey: only?.cellKey ?? null },
  })
}

/**
 * Every sample of a run, of all takes and with warmups: by block, take, warmup, round and position.
 * Errors: `run-not-found`, `cell-not-found`, `bad-cursor`.
 */
export const samplesOfRun = (
  context: Context,
  runId: string,
  page: PageRequest & SampleFilter,
): SamplePage =>
  context.read(() => {
    const rows = pageRows(context, requireRunRow(context, runId), page)
    const shown = rows.slice(0, page.limit)
    const metrics = new Map<number, ReadonlyMap<number, Metrics>>()
    for (const { roundKey } of shown) {
      if (!metrics.has(roundKey)) metrics.set(roundKey, metricsOf(context, roundKey))
    }
    const last = rows.length > page.limit ? shown.at(-1) : undefined
    return {
      samples: shown.map((row) => ({
        ...sampleFrom(row, metrics.get(row.roundKey)?.get(row.position)),
        take: row.take,
        round: row.round,
        warmup: row.warmup === 1,
      })),
      nextCursor: last === undefined ? null : cursorOf(keyFrom(last)),
    }
  })
