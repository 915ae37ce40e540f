/** `assay validate`: every mistake of a campaign at once, with its place and what would be right. */
import { catalogue } from '@assay/bench'
import { AssayError } from '@assay/model'
import { type CampaignText, planCampaign, planRemarks } from '@assay/orchestrator'
import { Command } from 'commander'
import type { Surroundings } from '../config.ts'
import { jsonOption } from './options.ts'
import { readCampaign } from './read-campaign.ts'

/** A valid campaign's remarks; throws `campaign-invalid` for any other. */
const remarksOn = (text: CampaignText): readonly string[] =>
  planRemarks(planCampaign(text, { seed: '1', only: [], skip: [], quick: false }, catalogue))

export const validateCommand = ({ out }: Surroundings): Command =>
  new Command('validate')
    .description('check campaigns without running them')
    .argument('<file...>', 'campaigns')
    .addOption(jsonOption())
    .action(async (files: readonly string[], options: { json?: boolean }) => {
      const invalid: AssayError[] = []
      const results: {
        file: string
        valid: boolean
        diagnostics: unknown
        faults: unknown
        remarks: readonly string[]
      }[] = []
      for (const file of files) {
        try {
          const remarks = remarksOn(await readCampaign(file))
          results.push({ file, valid: true, diagnostics: [], faults: [], remarks })
          if (options.json !== true) out(remarks.map((one) => `${file}: ${one}\n`).join(''))
          if (options.json !== true && remarks.length === 0) out(`${file}: fine\n`)
        } catch (error) {
          if (!(error instanceof AssayError)) throw error
          invalid.push(error)
          const { diagnostics = [error.message], faults = [] } = error.details
          results.push({ file, valid: false, diagnostics, faults, remarks: [] })
        }
      }
      if (options.json === true) out(`${JSON.stringify(results, null, 2)}\n`)
      if (invalid.length > 0) {
        throw new AssayError({
          code: 'campaign-invalid',
          kind: 'usage',
          message: invalid.map(({ message }) => message).join('\n'),
        })
      }
    })
