/** `assay report`: the judged run from the store; equal samples print equal bytes. */
import type { Printing } from '@assay/orchestrator'
import { formatAliases, formats } from '@assay/report'
import { Command, Option } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { interruptionIn } from '../interruption.ts'
import { readStore } from '../read-store.ts'
import { printReport } from './execute.ts'
import { dbOption } from './options.ts'

/** `--format NAME`, of all formats or of those that `isOffered` takes. */
export const formatOption = (
  isOffered: (format: (typeof formats)[number]) => boolean = () => true,
): Option =>
  new Option('--format <name>', 'how the report is printed')
    .choices([...formats.filter(isOffered).map(({ name }) => name), ...formatAliases.keys()])
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
      const output = { surroundings, ...options }
      process.exitCode = readStore(path, surroundings, (store) => {
        const run = store.runs.find(reference)
        if (interruptionIn(path)(run)) {
          surroundings.err(`run ${run.id} was interrupted; go on with: assay resume ${run.id}\n`)
        }
        return printReport(run.id, store, output)
      })
    })
