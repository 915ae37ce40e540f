/** Reads a campaign file as it was named on the command line. */
import { readFile } from 'node:fs/promises'
import { AssayError } from '@assay/model'
import type { CampaignText } from '@assay/orchestrator'

const unreadable = (file: string, why: string): AssayError =>
  new AssayError({
    code: 'campaign-unreadable',
    kind: 'usage',
    message: `${file}: ${why}`,
  })

/** A system's error as a sentence with its remedy; `missing` is that of a file that is not there. */
export const whyUnreadable = (file: string, error: unknown, missing: string): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return `no such file; ${missing}`
  if (code === 'EISDIR') return 'is a folder; name a file in it'
  if (code === 'EACCES') return `may not be read; \`chmod u+r ${file}\` allows it to its owner`
  return error instanceof Error ? error.message : String(error)
}

/** The file's text under its name; rejects with `campaign-unreadable`. */
export const readCampaign = async (file: string): Promise<CampaignText> => {
  try {
    return { file, text: await readFile(file, 'utf8') }
  } catch (error) {
    throw unreadable(file, whyUnreadable(file, error, `\`assay init ${file}\` writes one`))
  }
}
