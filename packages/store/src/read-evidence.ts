/** What a judgement is made from: of each block its highest take, one metric, warmups left out. */
import { type Evidence, type EvidenceBlock, type EvidenceSample, unitOf } from '@assay/model'
import type { Context } from './context.ts'
import { getRun, requireRunRow } from './find-run.ts'
import type { BlockRow } from './tables/block.ts'

/** Samples by the key of their cell, in the order of rounds. */
const samplesByCell = (
  { statements }: Context,
  runKey: number,
  metric: string,
): ReadonlyMap<number, readonly EvidenceSample[]> => {
  const usage = statements.evidence.byUsage.get(metric)
  const rows = usage?.all({ runKey }) ?? statements.evidence.byMetric.all({ runKey, metric })
  const byCell = new Map<number, EvidenceSample[]>()
  for (const { cellKey, stragglers, ...known } of rows) {
    const sample = stragglers === null ? known : { ...known, stragglers }
    const samples = byCell.get(cellKey)
    if (samples) samples.push(sample)
    else byCell.set(cellKey, [sample])
  }
  return byCell
}

const blockFrom = (
  { statements }: Context,
  block: BlockRow,
  judged: {
    readonly samples: ReadonlyMap<number, readonly EvidenceSample[]>
    readonly fingerprints: ReadonlyMap<number, string>
  },
): EvidenceBlock => ({
  blockId: block.blockId,
  stopReason: block.stopReason,
  fingerprint: judged.fingerprints.get(block.blockKey) ?? null,
  cells: statements.cell.ofBlock
    .all(block.blockKey)
    .map(({ cellKey, cellId, status, reason, cleanupFault }) => ({
      ...{ cellId, status, reason },
      ...(cleanupFault === null ? {} : { cleanupFault }),
      samples: judged.samples.get(cellKey) ?? [],
    })),
})

/**
 * The evidence of a run for one metric: `wallSeconds`, `cpuSeconds` (user and system), any other
 * field of a sample's usage, or any metric of a benchmark by its name. A metric that nobody
 * measured has null values. Errors: `run-not-found`.
 */
export const evidenceOf = (context: Context, runId: string, metric: string): Evidence =>
  context.read(() => {
    const { runKey } = requireRunRow(context, runId)
    const { take, block } = context.statements
    const samples = samplesByCell(context, runKey, metric)
    const fingerprints = new Map(
      take.judgedOfRun.all(runKey).map((row) => [row.blockKey, row.fingerprintDigest]),
    )
    const run = getRun(context, runId)
    const { pairing } = run.plan
    return {
      run,
      ...(pairing === undefined ? {} : { pairing }),
      metric: { name: metric, unit: unitOf(metric) },
      blocks: block.ofRun
        .all(runKey)
        .map((row) => blockFrom(context, row, { samples, fingerprints })),
    }
  })
