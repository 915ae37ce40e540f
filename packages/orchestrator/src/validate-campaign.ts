/** Use-case: is this YAML a campaign? Answers with the campaign, or with every mistake at once. */
import { parseCampaign } from '@assay/campaign'
import type { Campaign, Catalogue } from '@assay/model'
import { campaignInvalid } from './errors.ts'

/** A campaign as a person wrote it; `file` is what error messages call it. */
export interface CampaignText {
  readonly file: string
  readonly text: string
}

/** The parsed campaign; rejects with `campaign-invalid`, whose message has one line a mistake. */
export const validateCampaign = ({ file, text }: CampaignText, catalogue: Catalogue): Campaign => {
  const parsed = parseCampaign(text, { file, catalogue })
  if (!parsed.ok) throw campaignInvalid(parsed.diagnostics)
  return parsed.campaign
}
