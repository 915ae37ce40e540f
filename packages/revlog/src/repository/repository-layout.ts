/**
 * The files of an empty repository: requirements and the dummy that keeps pre-2008 programs out.
 * Observed in what Mercurial 6.3 makes by `hg init`; requirements: `hg help internals.requirements`.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompressionName } from '../compression/index.ts'
import { RevlogError, reasonOf } from '../errors.ts'
import { serializeRequires } from '../store/requires.ts'

/** The format of a repository. */
export interface RepositoryFormat {
  readonly compression: CompressionName
  /** Deltas may be against any revision. */
  readonly generaldelta: boolean
  /** Intermediate snapshots (sparse-revlog); needs generaldelta. */
  readonly sparse: boolean
  /** The store keeps its own requirements. */
  readonly shareSafe: boolean
  /** The working directory's state, once there is one, is kept in its second format. */
  readonly dirstateV2: boolean
  /** Beside changelog and manifest lie tables from nodes to revisions. */
  readonly persistentNodemap: boolean
}

/** What Mercurial 6.3 makes by default. */
export const DEFAULT_REPOSITORY_FORMAT: RepositoryFormat = {
  compression: 'zstd',
  generaldelta: true,
  sparse: true,
  shareSafe: true,
  dirstateV2: false,
  persistentNodemap: false,
}

/** The format that a repository's requirements tell of. */
export function formatOf(requirements: ReadonlySet<string>): RepositoryFormat {
  const unpacked = requirements.has('exp-compression-none') ? 'none' : 'zlib'
  return {
    compression: requirements.has('revlog-compression-zstd') ? 'zstd' : unpacked,
    generaldelta: requirements.has('generaldelta'),
    sparse: requirements.has('sparserevlog'),
    shareSafe: requirements.has('share-safe'),
    dirstateV2: requirements.has('dirstate-v2'),
    persistentNodemap: requirements.has('persistent-nodemap'),
  }
}

/** An index of version 65535: a program that does not know the store stops at it. */
const DUMMY_CHANGELOG = '\0\0\xff\xff dummy changelog to prevent using the old repo layout'

/** What a format switches on and off, by requirement. */
export function switchedRequirements(format: RepositoryFormat): ReadonlyMap<string, boolean> {
  return new Map([
    ['revlog-compression-zstd', format.compression === 'zstd'],
    ['exp-compression-none', format.compression === 'none'],
    ['generaldelta', format.generaldelta],
    ['sparserevlog', format.sparse],
    ['share-safe', format.shareSafe],
    ['dirstate-v2', format.dirstateV2],
    ['persistent-nodemap', format.persistentNodemap],
  ])
}

/** Those that are about more than the store. */
const OUTER_REQUIREMENTS: ReadonlySet<string> = new Set(['share-safe', 'dirstate-v2'])

/** Makes the folders and files of an empty repository at `path`. Throws `usage` or `system`. */
export function writeEmptyRepository(path: string, format: RepositoryFormat): void {
  if (format.sparse && !format.generaldelta) {
    throw new RevlogError('usage', 'sparse-revlog needs generaldelta: switch both on or sparse off')
  }
  const hg = join(path, '.hg')
  if (existsSync(hg)) {
    throw new RevlogError('usage', `${path} is a repository already: choose another folder`)
  }
  try {
    mkdirSync(join(hg, 'store'), { recursive: true })
    mkdirSync(join(hg, 'cache'))
    mkdirSync(join(hg, 'wcache'))
    writeFileSync(join(hg, '00changelog.i'), DUMMY_CHANGELOG, 'latin1')
    const store = storeRequirements(format)
    const own = format.dirstateV2 ? ['dirstate-v2'] : []
    const outer = new Set([...own, ...(format.shareSafe ? ['share-safe'] : store)])
    if (format.shareSafe) writeFileSync(join(hg, 'store', 'requires'), serializeRequires(store))
    writeFileSync(join(hg, 'requires'), serializeRequires(outer))
  } catch (cause) {
    throw new RevlogError('system', `${path}: no repository can be made: ${reasonOf(cause)}`, {
      cause,
    })
  }
}

function storeRequirements(format: RepositoryFormat): ReadonlySet<string> {
  const switched = [...switchedRequirements(format)].flatMap(([name, isOn]) => (isOn ? [name] : []))
  const own = switched.filter((name) => !OUTER_REQUIREMENTS.has(name))
  return new Set(['dotencode', 'fncache', 'revlogv1', 'store', ...own])
}
