/** The embedded engine: our own revlog program, one fresh Node process a sample. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PlannedCell } from '@assay/model'
import { datasetMissing } from '../errors.ts'
import { measurableChild } from './child.ts'
import type { CommandPlaces, Engine } from './engine.ts'
import { reasonAgainst, revlogCommand } from './revlog-commands.ts'
import { readRevlogMetrics, revlogMetrics } from './revlog-debug.ts'
import { programPath } from './revlog-program.ts'

const commandLine = (
  cell: PlannedCell,
  repository: string,
  places: CommandPlaces,
): [string, ...string[]] => [
  process.execPath,
  programPath(),
  ...['-R', repository, '--mode', cell.mode, '--debug'],
  ...revlogCommand(cell.parameters, places),
]

export const revlog: Engine = {
  name: 'revlog',
  summary: 'the embedded revlog engine: nothing else to install',
  flavors: ['default'],
  metrics: revlogMetrics,
  readsDataset: true,
  unsupportedReason: ({ benchmark }) => reasonAgainst(benchmark),
  async buildDigest() {
    const program = await readFile(programPath())
    return createHash('sha256').update(program).digest('hex')
  },
  commandLine: (cell, places) =>
    places.dataset === null ? null : commandLine(cell, places.dataset, places),
  async prepare(cell, site) {
    const { dataset, ...others } = site.places
    if (dataset === null) throw datasetMissing(cell.id)
    const child = {
      argvFor: () => commandLine(cell, dataset, { dataset, ...others }),
      workingDirectory: site.scratchDirectory,
      readMetrics: readRevlogMetrics,
    }
    return measurableChild(child, cell, site)
  },
}
