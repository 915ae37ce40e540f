/** `assay rerun`: measure a run's plan again as a new run; all of it, or only what failed. */
import { randomBytes } from 'node:crypto'
import { type Pinning, rerunRun } from '@assay/orchestrator'
import { Command } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { openLocalSite } from '../local-site.ts'
import { executeAndReport } from './execute.ts'
import { dbOption, pinOption } from './options.ts'
import { formatOption, jsonIsFormat } from './report.ts'

interface RerunOptions {
  readonly db?: string
  readonly failed?: boolean
  readonly name?: string
  readonly format: string
  readonly pin?: Pinning
}

export const rerunCommand = (surroundings: Surroundings): Command =>
  new Command('rerun')
    .description('measure the plan of a run again, as a new run')
    .argument('[run]', 'id, name, latest or @-1', 'latest')
    .addOption(dbOption())
    .option('--failed', 'only blocks with a failed cell')
    .option('--name <name>', 'a name to find the new run by')
    .addOption(pinOption())
    .addOption(formatOption())
    .addOption(jsonIsFormat())
    .action(async (reference: string, options: RerunOptions) => {
      const site = openLocalSite(chosenStorePath(options, surroundings), surroundings, options.pin)
      try {
        const { id: runId } = site.store.runs.find(reference)
        const seed = randomBytes(4).toString('hex')
        const failedOnly = options.failed === true
        const name = options.name ?? null
        const run = await rerunRun({ runId, failedOnly, seed, name }, site)
        surroundings.err(`run ${run.id} measures ${runId} again\n`)
        process.exitCode = await executeAndReport(run, site, { surroundings, ...options })
      } finally {
        await site.close()
      }
    })
