/** `assay dataset list`, `show`, `verify` and `remove`: what is kept beside the store, and what it takes. */
import { resolve } from 'node:path'
import {
  type DatasetRecord,
  findDataset,
  listDatasets,
  removeDataset,
  type ShelvedDataset,
  type SoundDataset,
  sourceStateOf,
  verifyDataset,
} from '@assay/bench'
import { AssayError } from '@assay/model'
import { Command } from 'commander'
import { bytesText } from '../bytes-text.ts'
import { chosenStorePath, datasetsDirectory, type Surroundings } from '../config.ts'
import { countText } from '../count-text.ts'
import { tableText } from '../table-text.ts'
import { jsonOption } from './options.ts'

interface ShelfOptions {
  readonly datasets?: string
  readonly json?: boolean
}

const folderOf = ({ datasets }: ShelfOptions, surroundings: Surroundings): string =>
  resolve(datasets ?? datasetsDirectory(chosenStorePath({}, surroundings)))

const shelfCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--datasets <folder>', 'where datasets are kept; default: beside the store')
    .addOption(jsonOption())

/** Where it comes from, in one line. */
const originOf = (record: DatasetRecord): string => {
  if ('spec' in record) {
    return `generate ${record.spec.preset}, scale ${record.spec.scale}, seed ${record.spec.seed}`
  }
  const { kind, location, options } = record.source
  const told = Object.entries(options).map(([name, values]) => `, ${name} ${values.join(' ')}`)
  return `${kind} ${location}${told.join('')}`
}

const formatOf = (record: DatasetRecord): string => {
  const tags = 'spec' in record ? record.spec.format : record.format
  return tags.length === 0 ? 'as it came' : tags.join(', ')
}

/** A dataset for machines. */
const plainOf = ({ id, folder, record, diskBytes }: ShelvedDataset) => ({
  ...{ id, folder, diskBytes },
  ...(record === null ? { unreadable: true } : record),
})

const rowOf = ({ id, record, diskBytes }: ShelvedDataset): readonly string[] =>
  record === null
    ? [id, '-', bytesText(diskBytes), 'dataset.json cannot be read: remove it']
    : [id, String(record.revisions), bytesText(diskBytes), originOf(record)]

export const listCommand = (surroundings: Surroundings): Command =>
  shelfCommand('list', 'what is prepared, and what it takes on the disk').action(
    (options: ShelfOptions) => {
      const folder = folderOf(options, surroundings)
      const datasets = listDatasets(folder)
      const diskBytes = datasets.reduce((sum, one) => sum + one.diskBytes, 0)
      if (options.json === true) {
        const all = { folder, diskBytes, datasets: datasets.map(plainOf) }
        return surroundings.out(`${JSON.stringify(all, null, 2)}\n`)
      }
      const head = ['id', 'revisions', 'disk', 'from']
      if (datasets.length > 0) surroundings.out(tableText(head, datasets.map(rowOf)))
      const count = countText(datasets.length, 'dataset')
      return surroundings.out(`${count}, ${bytesText(diskBytes)} in ${folder}\n`)
    },
  )

const sourceWords = {
  same: 'as it was when it was copied',
  changed: 'has changed since it was copied; the copy has not: remove it to copy anew',
  gone: 'is not there any more',
} as const

const linesOf = ({ id, folder, record, diskBytes }: SoundDataset): string => {
  const state = sourceStateOf(record)
  return tableText(
    ['id', id],
    [
      ['repository', `${folder}/repository`],
      ['from', originOf(record)],
      ['format', formatOf(record)],
      ['digest', record.digest],
      ['revisions', String(record.revisions)],
      ['files', String(record.files)],
      ['disk', bytesText(diskBytes)],
      ...(state === null ? [] : [['source', sourceWords[state]]]),
    ],
  )
}

export const showCommand = (surroundings: Surroundings): Command =>
  shelfCommand('show', 'where a dataset comes from, its digest and its size')
    .argument('<id>', 'an id of `assay dataset list`, or how it begins')
    .action((id: string, options: ShelfOptions) => {
      const dataset = findDataset(folderOf(options, surroundings), id)
      const { out } = surroundings
      out(
        options.json === true
          ? `${JSON.stringify({ ...plainOf(dataset), sourceState: sourceStateOf(dataset.record) }, null, 2)}\n`
          : linesOf(dataset),
      )
    })

interface Verified {
  readonly id: string
  /** Null of one that is as it was prepared. */
  readonly fault: string | null
}

const verified = (folder: string, id: string): Verified => {
  try {
    return { id: verifyDataset(folder, id).id, fault: null }
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'dataset-changed') throw error
    return { id, fault: error.message }
  }
}

export const verifyCommand = (surroundings: Surroundings): Command =>
  shelfCommand('verify', 'read every byte again; exit code 3 if any is not what was prepared')
    .argument('[id...]', 'ids, or how they begin; all by default')
    .action((ids: readonly string[], options: ShelfOptions) => {
      const folder = folderOf(options, surroundings)
      const wanted = ids.length > 0 ? ids : listDatasets(folder).map(({ id }) => id)
      const results = wanted.map((id) => verified(folder, id))
      const changed = results.flatMap(({ fault }) => (fault === null ? [] : [fault]))
      if (changed.length > 0) {
        throw new AssayError({
          code: 'dataset-changed',
          kind: 'unmeasurable',
          message: changed.join('\n'),
          details: { results },
        })
      }
      const text = results.map(({ id }) => `${id}: as it was prepared\n`).join('')
      surroundings.out(options.json === true ? `${JSON.stringify(results, null, 2)}\n` : text)
    })

export const removeCommand = (surroundings: Surroundings): Command =>
  shelfCommand(
    'remove',
    'remove datasets with all that was made of them; not while they are measured',
  )
    .argument('<id...>', 'ids, or how they begin')
    .action((ids: readonly string[], options: ShelfOptions) => {
      const folder = folderOf(options, surroundings)
      const removed = ids.map((id) => removeDataset(folder, id))
      const text = removed.map(({ id, freedBytes }) => `${id}: ${bytesText(freedBytes)} freed\n`)
      surroundings.out(
        options.json === true ? `${JSON.stringify(removed, null, 2)}\n` : text.join(''),
      )
    })
