/** `assay resume`: go on with a run that was stopped or whose process died. */
import { judgeRun, resumeRun } from '@assay/orchestrator'
import { Command } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { openLocalSite } from '../local-site.ts'
import { readStore } from '../read-store.ts'
import { executeAndReport, printReport } from './execute.ts'
import { dbOption } from './options.ts'
import { formatOption, jsonIsFormat } from './report.ts'

export const resumeCommand = (surroundings: Surroundings): Command =>
  new Command('resume')
    .description('go on with a run; finished rounds are neither lost nor repeated')
    .argument('[run]', 'id, name, latest or @-1', 'latest')
    .addOption(dbOption())
    .addOption(formatOption())
    .addOption(jsonIsFormat())
    .action(async (reference: string, options: { db?: string; format: string }) => {
      const path = chosenStorePath(options, surroundings)
      const { id, report } = readStore(path, surroundings, (store) => {
        const found = store.runs.find(reference)
        const isComplete = found.status === 'complete'
        return { id: found.id, report: isComplete ? judgeRun(found.id, store) : null }
      })
      if (report !== null) {
        surroundings.err(`run ${id} is complete: there was nothing left to measure\n`)
        process.exitCode = printReport(report, { surroundings, ...options })
        return
      }
      const site = openLocalSite(path, surroundings)
      try {
        const run = await resumeRun(id, site)
        process.exitCode = await executeAndReport(run, site, { surroundings, ...options })
      } finally {
        await site.close()
      }
    })
