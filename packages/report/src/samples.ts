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

/** Measured samples of each cell by themselves, warmups apart, and the last take of each block. */
const byCell = (report: Report, samples: readonly StoredSample[]) => {
  const places = cellPlaces(report)
  const cells = new Map<string, { readonly blockId: string; readonly samples: StoredSample[] }>()
  const lastTake = new Map<string, number>()
  for (const sample of samples) {
    let cell = cells.get(sample.cellId)
    if (cell === undefined) {
      const blockId = places.get(sample.cellId)?.block.blockId
      if (blockId === undefined) continue
      cell = { blockId, samples: [] }
      cells.set(sample.cellId, cell)
    }
    if (sample.take > (lastTake.get(cell.blockId) ?? 0)) lastTake.set(cell.blockId, sample.take)
    if (!sample.warmup) cell.samples.push(sample)
  }
  return { cells, lastTake }
}

/** The samples of each cell that are judged: of its block's last take, warmups apart, by round. */
export const judgedSamples = (
  report: Report,
  samples: readonly StoredSample[],
): ReadonlyMap<string, readonly StoredSample[]> => {
  const { cells, lastTake } = byCell(report, samples)
  return new Map(
    [...cells].flatMap(([cellId, { blockId, samples: measured }]) => {
      const judged = measured.filter(({ take }) => take === lastTake.get(blockId))
      return judged.length === 0
        ? []
        : [[cellId, judged.sort((left, right) => left.round - right.round)] as const]
    }),
  )
}
