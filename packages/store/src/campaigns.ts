/** Campaign texts: kept under their digest, so that a run can always show what it was planned from. */
import { textDigest } from '@assay/model'
import type { Context } from './context.ts'
import type { SavedCampaign } from './tables/campaign.ts'

/** How many runs there were of a text. */
export interface CampaignRuns {
  readonly campaign: string
  readonly digest: string
  readonly count: number
}

/** The store's campaigns. */
export interface Campaigns {
  /** Keeps a text under a name; the same again only moves `savedAt`. Returns what is kept. */
  save(campaign: { readonly name: string; readonly yaml: string }): SavedCampaign
  /** By digest, else the newest of that name; null if neither is known. */
  get(digestOrName: string): SavedCampaign | null
  /** The newest text of each name, newest first. */
  list(): readonly SavedCampaign[]
  /** Every text of a name, newest first; none for a name that is not known. */
  versions(name: string): readonly SavedCampaign[]
  /** How many runs there were, by name and digest. */
  runs(): readonly CampaignRuns[]
}

/** The campaigns of an open store. */
export const campaignsOf = (context: Context): Campaigns => {
  const { campaign } = context.statements
  return {
    save: ({ name, yaml }) =>
      context.write(() => {
        const saved = { digest: textDigest(yaml), name, yaml, savedAt: context.now() }
        campaign.save.run(saved)
        return saved
      }),
    get: (digestOrName) =>
      campaign.byDigest.get(digestOrName) ?? campaign.byName.get(digestOrName) ?? null,
    list: () => campaign.newest.all(),
    versions: (name) => campaign.versions.all(name),
    runs: () => campaign.runs.all(),
  }
}
