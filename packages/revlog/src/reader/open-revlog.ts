/**
 * Opens a revlog: its index in the access mode that is asked for, with what a missing file means and,
 * where one is wanted, the persistent nodemap beside it.
 */
import type { AccessMode, AccessRecord } from '../bytes/access.ts'
import { type ByteSource, openByteSource } from '../bytes/byte-source.ts'
import { RevlogError } from '../errors.ts'
import { openNodemap } from '../nodemap/nodemap.ts'
import { Revlog } from './revlog.ts'
import { readIndex } from './revlog-index.ts'

/** How to open a revlog. */
export interface OpenRevlogOptions {
  /** Path of the index file, `.../NAME.i`. */
  readonly indexPath: string
  /** Path of the data file of a revlog that is not inline; `.../NAME.d` if not given. */
  readonly dataPath?: string
  /** The revlog's name for messages; the path if not given. */
  readonly name?: string
  readonly mode: AccessMode
  /** Smaller index files are read, not mapped; Mercurial's default if not given. */
  readonly mmapThreshold?: number
  /** Use the persistent nodemap beside the index, told of when it is opened; none if not given. */
  readonly nodemap?: { readonly onAccess?: (record: AccessRecord) => void }
  /** What a file that is not there means: an error (the default) or no revisions yet. */
  readonly whenMissing?: 'throw' | 'empty'
}

/** Opens a revlog. Throws `system` when its index cannot be opened, `corrupt` or `unknown-format`. */
export function openRevlog(options: OpenRevlogOptions): Revlog {
  const name = options.name ?? options.indexPath
  const source = openIndexSource(options)
  const dataPath = options.dataPath ?? `${options.indexPath.slice(0, -'.i'.length)}.d`
  const index = readIndex(source, name)
  const { nodemap, indexPath, mode, mmapThreshold } = options
  // Mercurial makes none for data that is still in the index file.
  if (nodemap !== undefined && !index.inline) {
    const threshold = mmapThreshold === undefined ? {} : { mmapThreshold }
    index.attachNodemap((of) => openNodemap(of, { indexPath, mode, ...threshold, ...nodemap }))
  }
  return new Revlog(index, dataPath)
}

const NO_BYTES = new Uint8Array(0)

function openIndexSource(options: OpenRevlogOptions): ByteSource {
  try {
    return openByteSource(options.indexPath, options)
  } catch (error) {
    if (options.whenMissing === 'empty' && isMissingFile(error)) return emptySource(options)
    throw error
  }
}

function isMissingFile(error: unknown): boolean {
  const cause = error instanceof RevlogError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
}

function emptySource({ indexPath, mode }: OpenRevlogOptions): ByteSource {
  return {
    length: 0,
    access: {
      file: indexPath,
      mode,
      used: 'read',
      populated: 'no',
      bytes: 0,
      reason: 'file does not exist',
    },
    bytes: () => NO_BYTES,
    close: () => undefined,
  }
}
