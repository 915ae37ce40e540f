/** `assay report`: the judged run from the store; equal samples print equal bytes. */
import { type Printing, printRun } from '@assay/orchestrator'
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

/** `--metric NAME`. */
export const metricOption = (): Option =>
  new Option(
    '--metric <name>',
    'what is judged, e.g. peakRssBytes; default: what the campaign names',
  )

/** `--json`, the same as `--format json`. */
export const jsonIsFormat = (): Option =>
  new Option('--json', 'the same as --format json').implies({ format: 'json' })

export const reportCommand = (surroundings: Surroundings): Command =>
  new Command('report')
    .description('print the report of a run')
    .argument('[run]', 'id, name, latest or @-1', 'latest')
    .addOption(dbOption())
    .addOption(formatOption())
    .addOption(metricOption())
    .addOption(jsonIsFormat())
    .action((reference: string, options: Printing & { db?: string }) => {
      const path = chosenStorePath(options, surroundings)
      const text = readStore(path, surroundings, (store) =>
        printRun(store.runs.find(reference).id, store, options),
      )
      surroundings.out(text)
    })
