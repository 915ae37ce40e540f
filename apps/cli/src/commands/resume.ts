/** `assay resume`: go on with a run that was stopped or whose process died. */
import { resumeRun } from '@assay/orchestrator'
import { Command } from 'commander'
import { type Surroundings, storePath } from '../config.ts'
import { openLocalSite } from '../local-site.ts'
import { executeAndReport } from './execute.ts'
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
      const path = options.db ?? storePath(surroundings.workingDirectory)
      const site = await openLocalSite(path, surroundings)
      try {
        const { id } = site.store.runs.find(reference)
        const run = await resumeRun(id, site)
        process.exitCode = await executeAndReport(run, site, { surroundings, ...options })
      } finally {
        await site.close()
      }
    })
