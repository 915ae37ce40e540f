/** The engine of `exec`: any program, found on the PATH or by its path, started without a shell. */

import { commandMissing } from '../errors.ts'
import { measurableChild } from './child.ts'
import type { Engine } from './engine.ts'

export const exec: Engine = {
  name: 'exec',
  summary: 'any program with literal arguments',
  flavors: ['default'],
  readsDataset: false,
  unsupportedReason: ({ benchmark }) =>
    benchmark === 'exec' ? null : 'the engine exec runs only the benchmark exec',
  buildDigest: async () => null,
  async prepare(cell, site) {
    const [program, ...rest] = cell.command ?? []
    if (program === undefined) throw commandMissing(cell.id)
    const child = {
      argv: [program, ...rest] as const,
      workingDirectory: process.cwd(),
      expectedExitCodes: [0],
      readMetrics: null,
    }
    return measurableChild(child, site)
  },
}
