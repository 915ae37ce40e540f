/** Samples beside their report: where each belongs, and which are judged. */
import type { Report, ReportBlock, ReportRow, StoredSample } from '@assay/model'

/** The row of a cell and the block that it stands in. */
export interface CellPlace {
  readonly block: ReportBlock
  readonly row: ReportRow
}

/** The place of every cell by its id. */
export const cellPlaces = (report: Report): ReadonlyMap<string, CellPlace> =>
  new Map(
    report.blocks.flatMap((block) =>
      block.rows.map((row) => [row.cellId, { block, row }] as const),
    ),
  )

/** The samples of each cell that are judged: of its block's last take, warmups apart, by round. */
export const judgedSamples = (
  report: Report,
  samples: readonly StoredSample[],
): ReadonlyMap<string, readonly StoredSample[]> => {
  const places = cellPlaces(report)
  const lastTake = new Map<string, number>()
  for (const { cellId, take } of samples) {
    const blockId = places.get(cellId)?.block.blockId
    if (blockId !== undefined) lastTake.set(blockId, Math.max(take, lastTake.get(blockId) ?? 0))
  }
  const judged = new Map<string, StoredSample[]>()
  for (const sample of samples) {
    const blockId = places.get(sample.cellId)?.block.blockId
    if (sample.warmup || blockId === undefined || sample.take !== lastTake.get(blockId)) continue
    const known = judged.get(sample.cellId)
    if (known === undefined) judged.set(sample.cellId, [sample])
    else known.push(sample)
  }
  for (const list of judged.values()) list.sort((left, right) => left.round - right.round)
  return judged
}
