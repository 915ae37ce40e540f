/** `assay reproduce`: the shell line of one cell, to see with one's own eyes what was measured. */
import { engines } from '@assay/bench'
import { localDatasets, reproduceCell } from '@assay/orchestrator'
import { openStore } from '@assay/store'
import { Command } from 'commander'
import { chosenStorePath, datasetsDirectory, type Surroundings } from '../config.ts'
import { dbOption, jsonOption } from './options.ts'

export const reproduceCommand = (surroundings: Surroundings): Command =>
  new Command('reproduce')
    .description('print the shell line of a cell; `assay report --json` names the cells')
    .argument('<cell>', 'e.g. b1.c2: the second cell of the first block')
    .argument('[run]', 'id, name, latest or @-1', 'latest')
    .addOption(dbOption())
    .addOption(jsonOption())
    .action(async (cell: string, run: string, options: { db?: string; json?: boolean }) => {
      const path = chosenStorePath(options, surroundings)
      const { out, now, stop } = surroundings
      const store = openStore({ path, access: 'read', now })
      try {
        const datasets = localDatasets(datasetsDirectory(path), () => undefined)
        const script = await reproduceCell(
          { run, cell },
          { store, engines, datasets, path: process.env['PATH'] ?? '', signal: stop },
        )
        const { id: runId } = store.runs.find(run)
        const told = JSON.stringify({ runId, cellId: cell, script }, null, 2)
        out(`${options.json === true ? told : script}\n`)
      } finally {
        store.close()
      }
    })
