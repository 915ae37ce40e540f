/** The engine of `exec`: any program, found on the PATH or by its path, started without a shell. */
import { fillPlaces, loopsPlace } from '@assay/model'
import { commandMissing } from '../errors.ts'
import { measurableChild } from './child.ts'
import type { Engine } from './engine.ts'
import { placeTexts } from './place-texts.ts'

export const exec: Engine = {
  name: 'exec',
  summary: 'any program with literal arguments',
  flavors: ['default'],
  readsDataset: true,
  unsupportedReason: ({ benchmark }) =>
    benchmark === 'exec' ? null : 'the engine exec runs only the benchmark exec',
  buildDigest: async () => null,
  async prepare(cell, site) {
    const [program, ...rest] = cell.command ?? []
    if (program === undefined) throw commandMissing(cell.id)
    const texts = placeTexts(cell, site.datasetDirectory)
    const argvFor = (loops: number) => {
      const places = new Map([...texts, [loopsPlace, String(loops)]])
      const fill = (argument: string): string => fillPlaces(argument, places)
      return [fill(program), ...rest.map(fill)] as const
    }
    const child = { argvFor, workingDirectory: site.workingDirectory, readMetrics: null }
    return measurableChild(child, cell, site)
  },
}
