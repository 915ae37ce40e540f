/** `assay plan`: what a run would measure, counted before anything is queued. */
import { catalogue } from '@assay/bench'
import type { Plan, PlannedBlock } from '@assay/model'
import { planCampaign } from '@assay/orchestrator'
import { Command } from 'commander'
import type { Surroundings } from '../config.ts'
import { countText } from '../count-text.ts'
import { durationText } from '../time-text.ts'
import { jsonOption, type PlanOptions, planOptions } from './options.ts'
import { readCampaign } from './read-campaign.ts'

/** What a sample is taken to cost when nothing is known: a short command with its start. */
const assumedSampleSeconds = 0.15

const blockText = ({ id, headings, cells }: PlannedBlock): string => {
  const keys = Object.entries(headings).map(([key, value]) => `  ${key} = ${value}\n`)
  const lines = cells.map(
    ({ label, unsupported }) =>
      `    ${label}${unsupported === null ? '' : `: unsupported (${unsupported})`}\n`,
  )
  return `${id}\n${keys.join('')}${lines.join('')}`
}

const totalsText = ({ blocks, sampling }: Plan): string => {
  const cells = blocks.flatMap((block) => block.cells)
  const supported = cells.filter(({ unsupported }) => unsupported === null).length
  const seconds = (rounds: number): string =>
    durationText(supported * (sampling.warmups + rounds) * assumedSampleSeconds)
  const { min, max } = sampling.rounds
  const range = min === max ? seconds(max) : `${seconds(min)} to ${seconds(max)}`
  return `${countText(blocks.length, 'block')}, ${countText(cells.length, 'cell')}, ${supported} of them supported
${min === max ? countText(max, 'round') : `${min} to ${max} rounds`}: ${range} at ${durationText(assumedSampleSeconds)} a sample, datasets apart
`
}

export const planCommand = ({ out }: Surroundings): Command => {
  const command = new Command('plan')
    .description('show what a run would measure, and about how long it would take')
    .argument('<file>', 'a campaign')
    .addOption(jsonOption())
    .action(async (file: string, options: PlanOptions & { json?: boolean }) => {
      const overrides = { seed: '1', quick: false, ...options }
      const plan = planCampaign(await readCampaign(file), overrides, catalogue)
      if (options.json === true) out(`${JSON.stringify(plan, null, 2)}\n`)
      else out(`${plan.blocks.map(blockText).join('')}${totalsText(plan)}`)
    })
  for (const option of planOptions()) command.addOption(option)
  return command
}
