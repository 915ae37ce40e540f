/** `assay report`: the judged run from the store; equal samples print equal bytes. */
import { printRun } from '@assay/orchestrator'
import { formats } from '@assay/report'
import { Command, Option } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { readStore } from '../read-store.ts'
import { dbOption } from './options.ts'

/** `--format NAME`. */
export const formatOption = (): Option =>
  new Option('--format <name>', 'how the report is printed')
    .choices(formats.map(({ name }) => name))
    .default('full')

/** `--json`, the same as `--format json`. */
export const jsonIsFormat = (): Option =>
  new Option('--json', 'the same as --format json').implies({ format: 'json' })

export const reportCommand = (surroundings: Surroundings): Command =>
  new Command('report')
    .description('print the report of a run')
    .argument('[run]', 'id, name, latest or @-1', 'latest')
    .addOption(dbOption())
    .addOption(formatOption())
    .addOption(jsonIsFormat())
    .action((reference: string, options: { db?: string; format: string }) => {
      const path = chosenStorePath(options, surroundings)
      const text = readStore(path, surroundings, (store) =>
        printRun(store.runs.find(reference).id, store, { format: options.format }),
      )
      surroundings.out(text)
    })
