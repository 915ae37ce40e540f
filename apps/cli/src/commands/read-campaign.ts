/** Reads a campaign file as it was named on the command line. */
import { readFile } from 'node:fs/promises'
import { AssayError } from '@assay/model'
import type { CampaignText } from '@assay/orchestrator'

const unreadable = (file: string, why: string): AssayError =>
  new AssayError({
    code: 'campaign-unreadable',
    kind: 'usage',
    message: `${file}: ${why}; \`assay init\` writes a campaign to start from`,
  })

/** The file's text under its name; rejects with `campaign-unreadable`. */
export const readCampaign = async (file: string): Promise<CampaignText> => {
  try {
    return { file, text: await readFile(file, 'utf8') }
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error))
  }
}
