/** Source `path`: a repository of this host, copied once. It is only read, and may go on to change. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyDataset } from '@assay/measure'
import { datasetSourceUnusable } from '../errors.ts'
import { datasetStamp } from './digest.ts'
import { checkRepository, folders, singleFiles } from './history-files.ts'
import { isPath, refuseLocation } from './locations.ts'
import type { SourceKind } from './source-kind.ts'

const copyHistory = async (from: string, to: string): Promise<void> => {
  const [source, target] = [join(from, '.hg'), join(to, '.hg')]
  mkdirSync(target, { recursive: true })
  for (const name of singleFiles) {
    if (existsSync(join(source, name))) copyFileSync(join(source, name), join(target, name))
  }
  for (const name of folders) {
    if (existsSync(join(source, name))) await copyDataset(join(source, name), join(target, name))
  }
}

export const path: SourceKind = {
  name: 'path',
  summary: 'a repository of the host, copied once',
  options: [],
  refusalOf: (location) => (isPath(location) ? refuseLocation(location, []) : 'write a path'),
  keyOf: ({ location }) => resolve(location),
  fetch: async ({ location }, { directory }) => {
    const original = resolve(location)
    checkRepository(original, location)
    const before = datasetStamp(original)
    await copyHistory(original, directory)
    if (datasetStamp(original) === before) return
    throw datasetSourceUnusable(location, 'changed while it was copied; try again')
  },
}
