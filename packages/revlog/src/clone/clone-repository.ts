/**
 * A copy of a repository: all of it or some changesets with their ancestors, in its own storage format
 * or in another one. The store's files are copied where that does; else every revision is written anew.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOutgoing, type Outgoing } from '../changegroup/outgoing.ts'
import { RevlogError, reasonOf } from '../errors.ts'
import { NULL_REV } from '../format/constants.ts'
import { headRevs } from '../repository/heads.ts'
import { readBookmarkNodes } from '../repository/names.ts'
import type { Repository } from '../repository/open.ts'
import { formatOf, type RepositoryFormat } from '../repository/repository-layout.ts'
import { copyFirstChangesets } from './copy-first-changesets.ts'
import { rewriteChangesets } from './rewrite-changesets.ts'

/** What to copy, and how. */
export interface CloneOptions {
  readonly source: Repository
  /** A folder that has no repository yet. */
  readonly destination: string
  /** Changesets that the copy has, with their ancestors; all if not given. */
  readonly heads?: readonly number[]
  /** In what the copy's storage format differs from the source's. */
  readonly format?: Partial<RepositoryFormat>
  /** Write every revision anew even where copying files would do. */
  readonly rewrite?: boolean
}

/**
 * Makes the copy, without a working directory, with the phases and bookmarks of its changesets. Throws
 * `usage` where there is a repository already, `system`, and what reading a damaged store throws;
 * nothing is then left behind.
 */
export function cloneRepository(options: CloneOptions): void {
  const { source, destination, format = {}, rewrite = false } = options
  const hg = join(destination, '.hg')
  if (existsSync(hg)) throw new RevlogError('usage', `destination '${destination}' is not empty`)
  const outgoing = chosenChangesets(options)
  const before = formatOf(source.requirements)
  const after = { ...before, ...format }
  const existed = existsSync(destination)
  const count = outgoing.revs.length
  const areFirst = count === 0 || outgoing.revs[count - 1] === count - 1
  const mayCopy = !rewrite && areFirst && JSON.stringify(before) === JSON.stringify(after)
  try {
    mkdirSync(destination, { recursive: true })
    if (!mayCopy || !copyFirstChangesets({ source, destination, count })) {
      rewriteChangesets({ source, destination, outgoing, format: after })
    }
    copyNames(source, hg, outgoing)
  } catch (cause) {
    rmSync(existed ? hg : destination, { recursive: true, force: true })
    if (cause instanceof RevlogError) throw cause
    throw new RevlogError('system', `${destination}: ${reasonOf(cause)}`, { cause })
  }
}

function chosenChangesets({ source, heads }: CloneOptions): Outgoing {
  const { index } = source.changelog
  return findOutgoing(index, { bases: [NULL_REV], heads: heads ?? headRevs(index) })
}

/** Phases, bookmarks and markers of obsolescence, as far as they are about what was copied. */
function copyNames(source: Repository, hg: string, { revs }: Outgoing): void {
  const copied = new Set(revs)
  const isCopied = (nodeHex: string): boolean => {
    const rev = source.changelog.findRev(Buffer.from(nodeHex, 'hex'))
    return rev !== undefined && copied.has(rev)
  }
  const roots = source.metaFile('store/phaseroots')?.toString('latin1') ?? ''
  const lines = roots.split('\n').filter((line) => isCopied(line.split(' ')[1] ?? ''))
  writeFileSync(join(hg, 'store', 'phaseroots'), lines.map((line) => `${line}\n`).join(''))
  const markers = join(source.root, '.hg', 'store', 'obsstore')
  if (existsSync(markers)) copyFileSync(markers, join(hg, 'store', 'obsstore'))
  const bookmarks = [...readBookmarkNodes(source)].filter(([, nodeHex]) => isCopied(nodeHex))
  if (bookmarks.length === 0) return
  const text = bookmarks.map(([name, nodeHex]) => `${nodeHex} ${name}\n`).join('')
  writeFileSync(join(hg, 'bookmarks'), Buffer.from(text, 'latin1'))
}
