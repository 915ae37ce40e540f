/**
 * Makes a nodemap's files for an index that has grown: the data goes whole into a file of a new name,
 * so that whoever has the old one open keeps a whole one, and the docket then names it.
 */
import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { hexOf } from '../format/byte-string.ts'
import { guarded, replaceFile } from '../transaction/repository-files.ts'
import { serializeDocket } from './docket.ts'
import { growTrie, type NodesByRev, type TrieSoFar } from './grow-trie.ts'
import { docketPath, nodemapPath, readDocket } from './nodemap.ts'

/** A nodemap as files. */
export interface NodemapFiles {
  /** For the data file's name. */
  readonly uid: string
  readonly data: Uint8Array
  readonly docket: Uint8Array
}

/** What a nodemap is made of. */
export interface NewNodemap {
  /** All nodes of the index; at least one. */
  readonly nodes: NodesByRev
  /** The nodemap that there is, if it can be trusted. */
  readonly before?: TrieSoFar
  /** The uid that the docket names so far. */
  readonly uidBefore?: string
}

/** Digits of a uid, as Mercurial has them. */
const UID_DIGITS = 8

/** The files of a nodemap over all nodes. Throws `corrupt` when `before` makes no sense. */
export function makeNodemap({ nodes, before, uidBefore = '' }: NewNodemap): NodemapFiles {
  const data = growTrie(nodes, before)
  const tipRev = nodes.length - 1
  const tipNode = nodes.node(tipRev)
  const uid = createHash('sha1')
    .update(`${uidBefore} ${hexOf(tipNode)} ${data.length}`)
    .digest('hex')
    .slice(0, UID_DIGITS)
  const docket = serializeDocket({
    uid,
    tipRev,
    tipNode,
    dataLength: data.length,
    dataUnused: 0,
  })
  return { uid, data, docket }
}

/**
 * Writes a new nodemap beside an index, outside of any transaction, in the place of what was there.
 * For an index that has its data in itself there is none, as in Mercurial: the caller knows. Throws
 * `system`.
 */
export function writeNodemap(indexPath: string, nodes: NodesByRev): void {
  if (nodes.length === 0) return
  const before = readDocket(indexPath)
  const { uid, data, docket } = makeNodemap({
    nodes,
    ...(before === undefined ? {} : { uidBefore: before.uid }),
  })
  const path = nodemapPath(indexPath, uid)
  guarded(path, () => writeFileSync(path, data))
  replaceFile(docketPath(indexPath), docket)
  if (before === undefined) return
  const obsolete = nodemapPath(indexPath, before.uid)
  guarded(obsolete, () => rmSync(obsolete, { force: true }))
}
