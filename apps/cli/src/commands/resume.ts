/** `assay resume`: go on with a run that was stopped or whose process died. */
import { type Pinning, resumeRun } from '@assay/orchestrator'
import { Command } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { openLocalSite } from '../local-site.ts'
import { readStore } from '../read-store.ts'
import { executeAndReport, printReport } from './execute.ts'
import { dbOption, pinOption } from './options.ts'
import { formatOption, jsonIsFormat } from './report.ts'

interface ResumeOptions {
  readonly db?: string
  readonly format: string
  readonly pin?: Pinning
}

export const resumeCommand = (surroundings: Surroundings): Command =>
  new Command('resume')
    .description('go on with a run; finished rounds are neither lost nor repeated')
    .argument('[run]', 'id, name, latest or @-1', 'latest')
    .addOption(dbOption())
    .addOption(pinOption())
    .addOption(formatOption())
    .addOption(jsonIsFormat())
    .action(async (reference: string, options: ResumeOptions) => {
      const path = chosenStorePath(options, surroundings)
      const output = { surroundings, ...options }
      const found = readStore(path, surroundings, (store) => store.runs.find(reference))
      if (found.status === 'complete') {
        surroundings.err(`run ${found.id} is complete: there was nothing left to measure\n`)
        process.exitCode = readStore(path, surroundings, (store) =>
          printReport(found.id, store, output),
        )
        return
      }
      const site = openLocalSite(path, surroundings, options.pin)
      try {
        const run = await resumeRun(found.id, site)
        process.exitCode = await executeAndReport(run, site, output)
      } finally {
        await site.close()
      }
    })
