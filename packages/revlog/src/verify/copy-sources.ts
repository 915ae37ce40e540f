/**
 * Whether what a file was copied from is there. Many files are copied from one, one after the other:
 * the last source's revlog stays open.
 */
import { type ByteString, hexOf } from '../format/byte-string.ts'
import { NULL_NODE } from '../format/constants.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { Repository } from '../repository/open.ts'
import { shortNode } from './check-revlog.ts'
import { openFilelog } from './open-filelog.ts'

/** A file revision that another one is a copy of. */
export interface CopySource {
  readonly path: ByteString
  readonly node: Uint8Array
}

/** Sources of copies until close(). */
export interface CopySources {
  /** What is wrong with the source of a revision, in Mercurial's words; undefined for nothing. */
  problemOf(source: CopySource, shortCopy: string): string | undefined
  close(): void
}

/** The sources in a repository. */
export function openCopySources(repository: Repository): CopySources {
  let path: ByteString | undefined
  let opened: Revlog | string = ''
  const close = (): void => {
    if (typeof opened !== 'string') opened.close()
    path = undefined
    opened = ''
  }
  const sourceOf = (wanted: ByteString): Revlog | string => {
    if (path === wanted) return opened
    close()
    opened = openFilelog(repository, wanted)
    path = wanted
    return opened
  }
  return {
    close,
    problemOf(source, shortCopy) {
      const revlog = sourceOf(source.path)
      if (typeof revlog === 'string') return `checking rename of ${shortCopy}: ${revlog}`
      if (revlog.length === 0) {
        return `empty or missing copy source revlog ${source.path}:${shortNode(source.node)}`
      }
      if (Buffer.compare(source.node, NULL_NODE) === 0) return undefined
      if (revlog.findRev(source.node) !== undefined) return undefined
      return `checking rename of ${shortCopy}: data/${source.path}@${hexOf(source.node)}: no node`
    },
  }
}
