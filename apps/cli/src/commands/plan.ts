/** `assay plan`: what a run would measure, counted before anything is queued. */
import { catalogue } from '@assay/bench'
import type { Plan, PlannedBlock } from '@assay/model'
import { estimatePlan, planCampaign, planRemarks } from '@assay/orchestrator'
import { Command } from 'commander'
import type { Surroundings } from '../config.ts'
import { countText } from '../count-text.ts'
import { durationText } from '../time-text.ts'
import { jsonOption, type PlanOptions, planOptions } from './options.ts'
import { readCampaign } from './read-campaign.ts'

const blockText = ({ id, headings, cells }: PlannedBlock): string => {
  const keys = Object.entries(headings).map(([key, value]) => `  ${key} = ${value}\n`)
  const lines = cells.map(
    ({ label, unsupported }) =>
      `    ${label}${unsupported === null ? '' : `: unsupported (${unsupported})`}\n`,
  )
  return `${id}\n${keys.join('')}${lines.join('')}`
}

const totalsText = (plan: Plan): string => {
  const { counts, estimate } = estimatePlan(plan)
  const { min, max } = plan.sampling.rounds
  const [least, most] = [estimate.leastSeconds, estimate.mostSeconds].map(durationText)
  const range = min === max ? most : `${least} to ${most}`
  return `${countText(counts.blocks, 'block')}, ${countText(counts.cells, 'cell')}, ${counts.supported} of them supported
${min === max ? countText(max, 'round') : `${min} to ${max} rounds`}: ${range} at ${durationText(estimate.sampleSeconds)} a sample, datasets apart
`
}

export const planCommand = ({ out, err }: Surroundings): Command => {
  const command = new Command('plan')
    .description('show what a run would measure, and about how long it would take')
    .argument('<file>', 'a campaign')
    .addOption(jsonOption())
    .action(async (file: string, options: PlanOptions & { json?: boolean }) => {
      const overrides = { seed: '1', quick: false, ...options }
      const plan = planCampaign(await readCampaign(file), overrides, catalogue)
      for (const remark of planRemarks(plan)) err(`${file}: ${remark}\n`)
      if (options.json === true) out(`${JSON.stringify(plan, null, 2)}\n`)
      else out(`${plan.blocks.map(blockText).join('')}${totalsText(plan)}`)
    })
  for (const option of planOptions()) command.addOption(option)
  return command
}
