/** `assay validate`: every mistake of a campaign at once, with its place and what would be right. */
import { catalogue } from '@assay/bench'
import { AssayError } from '@assay/model'
import { validateCampaign } from '@assay/orchestrator'
import { Command } from 'commander'
import type { Surroundings } from '../config.ts'
import { jsonOption } from './options.ts'
import { readCampaign } from './read-campaign.ts'

export const validateCommand = ({ out }: Surroundings): Command =>
  new Command('validate')
    .description('check campaigns without running them')
    .argument('<file...>', 'campaigns')
    .addOption(jsonOption())
    .action(async (files: readonly string[], options: { json?: boolean }) => {
      const invalid: AssayError[] = []
      const results: { file: string; valid: boolean; diagnostics: unknown }[] = []
      for (const file of files) {
        try {
          validateCampaign(await readCampaign(file), catalogue)
          results.push({ file, valid: true, diagnostics: [] })
          if (options.json !== true) out(`${file}: fine\n`)
        } catch (error) {
          if (!(error instanceof AssayError)) throw error
          invalid.push(error)
          const diagnostics = error.details['diagnostics'] ?? [error.message]
          results.push({ file, valid: false, diagnostics })
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
