/** `assay compare`: one run against another. They were not measured together, so it only indicates. */
import { primaryMetric } from '@assay/model'
import { compareStoredRuns } from '@assay/orchestrator'
import { renderReport } from '@assay/report'
import { Command } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { readStore } from '../read-store.ts'
import { exitCodeOf } from './execute.ts'
import { dbOption } from './options.ts'
import { formatOption, jsonIsFormat } from './report.ts'

interface CompareOptions {
  readonly db?: string
  readonly metric: string
  readonly format: string
}

export const compareCommand = (surroundings: Surroundings): Command =>
  new Command('compare')
    .description(
      'set one run against another; indicative, since drift between them is not ruled out',
    )
    .argument('<baseline>', 'id, name, latest or @-1')
    .argument('[candidate]', 'id, name, latest or @-1', 'latest')
    .addOption(dbOption())
    .option('--metric <name>', 'what is compared', primaryMetric)
    // CSV is a run's samples, and a comparison of two runs has none of its own.
    .addOption(formatOption(({ name }) => name !== 'csv'))
    .addOption(jsonIsFormat())
    .action((baseline: string, candidate: string, options: CompareOptions) => {
      const { metric, format } = options
      const path = chosenStorePath(options, surroundings)
      const report = readStore(path, surroundings, (store) =>
        compareStoredRuns({ baseline, candidate, metric }, store),
      )
      surroundings.out(renderReport(report, format))
      process.exitCode = exitCodeOf(report)
    })
