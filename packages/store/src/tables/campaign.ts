/** SQL of the table `campaign`: every text that was ever saved, under each of its names. */
import type { Preparer } from '../statement.ts'

/** A campaign as it was saved. */
export interface SavedCampaign {
  /** SHA-256 of the YAML text. */
  readonly digest: string
  readonly name: string
  readonly yaml: string
  /** When it was last saved under this name; milliseconds since 1970. */
  readonly savedAt: number
}

const columns = 'digest, name, yaml, saved_at AS savedAt'

/** Statements of this family. */
export const campaignStatements = ({ command, query }: Preparer) => ({
  save: command<[SavedCampaign]>(`
    INSERT INTO campaign (digest, name, yaml, saved_at)
    VALUES (:digest, :name, :yaml, :savedAt)
    ON CONFLICT (digest, name) DO UPDATE SET saved_at = max(saved_at, excluded.saved_at)
  `),
  has: query<[digest: string, name: string], { found: 1 }>(`
    SELECT 1 AS found FROM campaign WHERE digest = ? AND name = ?
  `),
  byDigest: query<[string], SavedCampaign>(`
    SELECT ${columns} FROM campaign WHERE digest = ? ORDER BY saved_at DESC, name LIMIT 1
  `),
  byName: query<[string], SavedCampaign>(`
    SELECT ${columns} FROM campaign WHERE name = ? ORDER BY saved_at DESC, digest LIMIT 1
  `),
  /** How many runs there were of a name and, in each, of which digest. */
  runs: query<[], { campaign: string; digest: string; count: number }>(`
    SELECT campaign, campaign_digest AS digest, count(*) AS count FROM run
    GROUP BY campaign, campaign_digest
  `),
  versions: query<[string], SavedCampaign>(`
    SELECT ${columns} FROM campaign WHERE name = ? ORDER BY saved_at DESC, digest
  `),
  newest: query<[], SavedCampaign>(`
    SELECT ${columns} FROM campaign AS this
    WHERE rowid = (
      SELECT rowid FROM campaign WHERE name = this.name ORDER BY saved_at DESC, digest LIMIT 1
    )
    ORDER BY saved_at DESC, name
  `),
})
