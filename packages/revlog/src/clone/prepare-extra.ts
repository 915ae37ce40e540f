/**
 * The two inputs of a measured unbundle, push or pull: a repository without its last changesets, and
 * a bundle with exactly those. (The inputs `any-1-extra-rev`, `any-100-extra-rev`, `last-N` and `all`
 * of Mercurial's benchmark campaigns.)
 */

import { type BundleType, writeBundle } from '../bundle/write-bundle.ts'
import { writeBundleFile } from '../bundle/write-bundle-file.ts'
import type { Outgoing } from '../changegroup/outgoing.ts'
import { RevlogError } from '../errors.ts'
import type { Repository } from '../repository/open.ts'
import { cloneRepository } from './clone-repository.ts'

/** What to prepare, and where. */
export interface PrepareExtraOptions {
  readonly source: Repository
  /** How many changesets the repository is to lack; `all` is the length of the changelog. */
  readonly extra: number
  /** Where the repository without them is made. */
  readonly repositoryPath: string
  /** Where the bundle is written. */
  readonly bundlePath: string
  /** `none-v2` if not given. */
  readonly type?: BundleType
}

/** What was prepared. */
export interface PreparedExtra {
  readonly keptChangesets: number
  readonly extraChangesets: number
}

/** Prepares both. Throws `usage` for a senseless number, and what its two halves throw. */
export function prepareExtra(options: PrepareExtraOptions): PreparedExtra {
  const { source, extra, repositoryPath, bundlePath, type = 'none-v2' } = options
  const { length } = source.changelog
  if (!Number.isInteger(extra) || extra < 1 || extra > length) {
    throw new RevlogError('usage', `${extra} changesets cannot be taken off a history of ${length}`)
  }
  const kept = length - extra
  const heads = Array.from({ length: kept }, (_, rev) => rev)
  cloneRepository({ source, destination: repositoryPath, heads })
  const outgoing = changesetsFrom(kept, length)
  writeBundleFile(bundlePath, writeBundle({ repository: source, outgoing, type }))
  return { keptChangesets: kept, extraChangesets: extra }
}

/** The changesets from one on: all before it are known, whatever descends from them. */
function changesetsFrom(first: number, length: number): Outgoing {
  return {
    revs: Array.from({ length: length - first }, (_, i) => first + i),
    isKnown: (rev) => rev < first,
  }
}
