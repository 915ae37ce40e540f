/** `assay init`: a first campaign that teaches. */
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { campaignTemplate } from '@assay/campaign'
import { AssayError } from '@assay/model'
import { Command } from 'commander'
import type { Surroundings } from '../config.ts'
import { jsonOption } from './options.ts'

const exists = (file: string): AssayError =>
  new AssayError({
    code: 'file-exists',
    kind: 'usage',
    message: `${file} is there already; name another file`,
  })

export const initCommand = ({ out }: Surroundings): Command =>
  new Command('init')
    .description('write a commented campaign to start from')
    .argument('[file]', 'where to write it', 'campaign.yaml')
    .addOption(jsonOption())
    .action(async (file: string, options: { json?: boolean }) => {
      const text = campaignTemplate(basename(file).replace(/\.ya?ml$/, ''))
      try {
        await writeFile(file, text, { flag: 'wx' })
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw exists(file)
        throw error
      }
      const next = [`assay plan ${file}`, `assay run ${file}`]
      out(
        options.json === true
          ? `${JSON.stringify({ file, next }, null, 2)}\n`
          : `${file} is written. Next: ${next.join(', then ')}\n`,
      )
    })
