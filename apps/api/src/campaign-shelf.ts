/** The campaigns that a server has: those of its folder, and the versions that its store keeps. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AssayError, type CampaignEntry, type CampaignResponse, textDigest } from '@assay/model'
import { type CampaignText, validateCampaign } from '@assay/orchestrator'
import { campaignUnknown } from './errors.ts'
import type { ApiSite } from './site.ts'

type Shelf = Pick<ApiSite, 'store' | 'catalogue' | 'campaignsDirectory'>

const yamlEnding = /\.ya?ml$/

/** The files of the folder; none where there is no such folder. */
const filesOf = async (directory: string): Promise<string[]> => {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory() && yamlEnding.test(entry.name))
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

const baseOf = (file: string): string => file.replace(yamlEnding, '')

/** Reads a file by its name; only names of the folder's own list are opened. */
const fromFolder = async (name: string, { campaignsDirectory }: Shelf) => {
  const files = await filesOf(campaignsDirectory)
  const file = files.find((one) => one === name || baseOf(one) === name)
  if (file === undefined) return { text: null, known: files.map(baseOf) }
  const text = await readFile(join(campaignsDirectory, file), 'utf8')
  return { text: { file, text }, known: [] }
}

/** A stored version: of `name` the newest, of `name@digest` that one; null if there is none. */
const fromStore = (reference: string, { store }: Shelf): CampaignText | null => {
  const [name = '', digest = ''] = reference.split('@')
  const found = store.campaigns.versions(name).find((one) => one.digest.startsWith(digest))
  return found === undefined ? null : { file: `${name}.yaml`, text: found.yaml }
}

/** A campaign by name: of the folder, else as it was stored. Errors: `campaign-unknown`. */
const campaignNamed = async (name: string, shelf: Shelf): Promise<CampaignText> => {
  const { text, known } = await fromFolder(name, shelf)
  const found = text ?? fromStore(name, shelf)
  if (found !== null) return found
  const stored = shelf.store.campaigns.list().map((one) => one.name)
  throw campaignUnknown(name, [...new Set([...known, ...stored])].sort())
}

/** The campaign of a request: named, or posted. Errors: `campaign-unknown`. */
export const campaignOf = (
  request: { readonly campaign?: string; readonly yaml?: string },
  shelf: Shelf,
): Promise<CampaignText> =>
  request.yaml === undefined
    ? campaignNamed(request.campaign ?? '', shelf)
    : Promise.resolve({ file: 'campaign.yaml', text: request.yaml })

/** The text of each file of the folder. */
export const folderTexts = async ({ campaignsDirectory }: Shelf): Promise<readonly string[]> => {
  const files = await filesOf(campaignsDirectory)
  return Promise.all(files.map((file) => readFile(join(campaignsDirectory, file), 'utf8')))
}

interface FolderCampaign {
  readonly name: string
  readonly file: string
  readonly yaml: string
  readonly digest: string
  readonly problem: string | null
}

/** A file of the folder under the name that it gives itself; of a faulty one, what is wrong. */
const readFolderCampaign = async (file: string, shelf: Shelf): Promise<FolderCampaign> => {
  const yaml = await readFile(join(shelf.campaignsDirectory, file), 'utf8')
  const facts = { file, yaml, digest: textDigest(yaml) }
  try {
    const { name } = validateCampaign({ file, text: yaml }, shelf.catalogue)
    return { name, ...facts, problem: null }
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    return { name: baseOf(file), ...facts, problem: error.message }
  }
}

const folderCampaigns = async (shelf: Shelf): Promise<readonly FolderCampaign[]> => {
  const files = await filesOf(shelf.campaignsDirectory)
  return Promise.all(files.map((file) => readFolderCampaign(file, shelf)))
}

/** Every campaign, by name. */
export const listCampaigns = async (shelf: Shelf): Promise<readonly CampaignEntry[]> => {
  const { campaigns } = shelf.store
  const inFolder = await folderCampaigns(shelf)
  const runs = campaigns.runs()
  const stored = campaigns.list()
  const names = new Set([...inFolder, ...stored].map(({ name }) => name))
  return [...names].sort().map((name) => {
    const file = inFolder.find((one) => one.name === name)
    const newest = stored.find((one) => one.name === name)
    return {
      name,
      file: file?.file ?? null,
      digest: file?.digest ?? newest?.digest ?? '',
      versions: campaigns.versions(name).length,
      savedAt: newest?.savedAt ?? null,
      runs: runs.filter((row) => row.campaign === name).reduce((sum, row) => sum + row.count, 0),
      problem: file?.problem ?? null,
    }
  })
}

/** A campaign with all its versions, a file that was never run or stored first. */
export const showCampaign = async (name: string, shelf: Shelf): Promise<CampaignResponse> => {
  const { campaigns } = shelf.store
  const inFolder = await folderCampaigns(shelf)
  const file = inFolder.find((one) => one.name === name)
  const stored = campaigns.versions(name)
  if (file === undefined && stored.length === 0) {
    const known = [...inFolder, ...campaigns.list()].map((one) => one.name)
    throw campaignUnknown(name, [...new Set(known)].sort())
  }
  const runs = campaigns.runs()
  const versionOf = (digest: string, yaml: string, savedAt: number | null) => ({
    ...{ digest, savedAt, yaml },
    runs: runs.find((row) => row.campaign === name && row.digest === digest)?.count ?? 0,
  })
  const isNew = file !== undefined && !stored.some(({ digest }) => digest === file.digest)
  return {
    name,
    file: file?.file ?? null,
    versions: [
      ...(isNew ? [versionOf(file.digest, file.yaml, null)] : []),
      ...stored.map(({ digest, yaml, savedAt }) => versionOf(digest, yaml, savedAt)),
    ],
  }
}
