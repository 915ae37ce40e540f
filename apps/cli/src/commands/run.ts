/** `assay run`: plan, measure and report in one process, with the embedded queue. */
import { randomBytes } from 'node:crypto'
import { catalogue } from '@assay/bench'
import { type CampaignText, type Pinning, planCampaign, startRun } from '@assay/orchestrator'
import { Command } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { openLocalSite } from '../local-site.ts'
import { executeAndReport } from './execute.ts'
import { dbOption, type PlanOptions, pinOption, planOptions } from './options.ts'
import { readCampaign } from './read-campaign.ts'
import { formatOption, jsonIsFormat } from './report.ts'

/** The options of a run that is measured here. */
export interface RunOptions extends PlanOptions {
  readonly db?: string
  readonly name?: string
  readonly format: string
  readonly pin?: Pinning
}

/** Measures a campaign in the chosen store and prints its report; sets the process's exit code. */
export const measureCampaign = async (
  campaign: CampaignText,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<void> => {
  const { only, skip, quick = false, seed = randomBytes(4).toString('hex') } = options
  const { workingDirectory } = surroundings
  const overrides = { seed, only, skip, quick, workingDirectory }
  // A campaign that cannot be planned leaves no store behind.
  planCampaign(campaign, overrides, catalogue)
  const path = chosenStorePath(options, surroundings)
  const site = openLocalSite(path, surroundings, options.pin)
  try {
    const run = await startRun({ campaign, name: options.name ?? null, overrides }, site)
    surroundings.err(`run ${run.id} of campaign ${run.campaign}, store ${path}\n`)
    process.exitCode = await executeAndReport(run, site, { surroundings, ...options })
  } finally {
    await site.close()
  }
}

export const runCommand = (surroundings: Surroundings): Command => {
  const command = new Command('run')
    .description('measure a campaign on this host and print its report')
    .argument('<file>', 'a campaign')
    .addOption(dbOption())
    .option('--name <name>', 'a name to find the run by')
    .addOption(pinOption())
    .addOption(formatOption())
    .addOption(jsonIsFormat())
    .action(async (file: string, options: RunOptions) =>
      measureCampaign(await readCampaign(file), options, surroundings),
    )
  for (const option of planOptions()) command.addOption(option)
  return command
}
