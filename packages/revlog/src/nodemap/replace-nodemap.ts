/**
 * A new nodemap for a revlog that has grown, inside the transaction in which it did: rolling back
 * brings the old docket back, whose data file stays until everything is done.
 */
import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import type { ByteString } from '../format/byte-string.ts'
import { HEADER_SIZE, parseHeader } from '../format/header.ts'
import { guarded } from '../transaction/repository-files.ts'
import type { Transaction } from '../transaction/transaction.ts'
import type { NodesByRev } from './grow-trie.ts'
import { docketPath, type Nodemap, nodemapPath, readDocket } from './nodemap.ts'
import { makeNodemap } from './write-nodemap.ts'

/** The revlog that has grown, its index file written. */
export interface GrownRevlog {
  readonly nodes: NodesByRev
  /** The nodemap of the index before, if there was one that can be trusted. */
  readonly nodemapBefore: Nodemap | undefined
  /** `00changelog.i` and where it is. */
  readonly indexName: ByteString
  readonly indexPath: string
}

/** Below this many revisions a nodemap is made from nothing: that heals one that is damaged. */
const MADE_ANEW_REVISIONS = 65_536

/**
 * Writes the nodemap; gives the data file that nothing needs once the transaction is committed. An
 * index with the data in it gets none, as in Mercurial.
 */
export function replaceNodemap(grown: GrownRevlog, transaction: Transaction): string | undefined {
  const { nodes, nodemapBefore, indexName, indexPath } = grown
  if (nodes.length === 0 || isInline(indexPath)) return undefined
  const docket = readDocket(indexPath)
  const {
    uid,
    data,
    docket: bytes,
  } = makeNodemap({
    nodes,
    ...(nodemapBefore === undefined || nodes.length < MADE_ANEW_REVISIONS
      ? {}
      : { before: { blocks: nodemapBefore.blocks(), length: nodemapBefore.length } }),
    ...(docket === undefined ? {} : { uidBefore: docket.uid }),
  })
  const place = (path: string) => ({ location: 'store' as const, path })
  transaction.replace(place(nodemapPath(indexName, uid)), data)
  transaction.replace(place(docketPath(indexName)), bytes)
  return docket === undefined ? undefined : nodemapPath(indexPath, docket.uid)
}

/** Removes data files that no docket names any more. Throws `system`. */
export function removeNodemapData(paths: readonly string[]): void {
  for (const path of paths) guarded(path, () => rmSync(path, { force: true }))
}

function isInline(indexPath: string): boolean {
  return guarded(indexPath, () => {
    const fd = openSync(indexPath, 'r')
    try {
      const header = new Uint8Array(HEADER_SIZE)
      const read = readSync(fd, header, 0, HEADER_SIZE, 0)
      return parseHeader(header.subarray(0, read), indexPath).inline
    } finally {
      closeSync(fd)
    }
  })
}
