/** The engine of `exec`: any program, found on the PATH or by its path, started without a shell. */
import { fillPlaces, loopsPlace, type PlannedCell } from '@assay/model'
import { commandMissing } from '../errors.ts'
import { measurableChild } from './child.ts'
import type { Engine } from './engine.ts'
import { placeTexts } from './place-texts.ts'

/** Puts texts into the places of an argument. */
const filling = (cell: PlannedCell, datasetDirectory: string | null, loops: number) => {
  const texts = placeTexts(cell, datasetDirectory)
  const places = new Map([...texts, [loopsPlace, String(loops)]])
  return (argument: string): string => fillPlaces(argument, places)
}

export const exec: Engine = {
  name: 'exec',
  summary: 'any program with literal arguments',
  flavors: ['default'],
  readsDataset: true,
  unsupportedReason: ({ benchmark }) =>
    benchmark === 'exec' ? null : 'the engine exec runs only the benchmark exec',
  buildDigest: async () => null,
  commandLine: (cell, { dataset }) =>
    cell.command === null ? null : cell.command.map(filling(cell, dataset, 1)),
  async prepare(cell, site) {
    const [program, ...rest] = cell.command ?? []
    if (program === undefined) throw commandMissing(cell.id)
    const argvFor = (loops: number) => {
      const fill = filling(cell, site.datasetDirectory, loops)
      return [fill(program), ...rest.map(fill)] as const
    }
    const child = { argvFor, workingDirectory: site.workingDirectory, readMetrics: null }
    return measurableChild(child, cell, site)
  },
}
