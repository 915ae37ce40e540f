/**
 * A persistent nodemap beside an index: from a node, or from its first digits, to the revision without
 * a look at more than a few pages of either. It is trusted only as far as it is known to belong to the
 * index: its last node must be where it says; revisions that came later are looked for one by one.
 */
import { readFileSync } from 'node:fs'
import type { AccessMode, AccessRecord } from '../bytes/access.ts'
import { type ByteSource, openByteSource } from '../bytes/byte-source.ts'
import { codeOf, RevlogError, reasonOf } from '../errors.ts'
import { NODE_SIZE } from '../format/constants.ts'
import { type NodemapDocket, parseDocket } from './docket.ts'
import { BLOCK_BYTES, followDigits, NODE_DIGITS, type TrieMatch } from './trie.ts'

/** What a nodemap is asked about, of an index. */
export interface NodemapIndex {
  readonly length: number
  copyNode(rev: number, target: Uint8Array, position: number): void
}

/** Which nodemap, and how its data file is read. */
export interface OpenNodemapOptions {
  /** The index file, `.../NAME.i`; the docket is `.../NAME.n`. */
  readonly indexPath: string
  readonly mode: AccessMode
  /** Smaller data files are read, not mapped. */
  readonly mmapThreshold?: number
  /** Told of the data file when it was opened. */
  readonly onAccess?: (record: AccessRecord) => void
}

/** A nodemap until close(). */
export interface Nodemap {
  /** Revisions from this one on are not in it. */
  readonly length: number
  /** The blocks, the root last: a view that must not be kept. */
  blocks(): Uint8Array
  /**
   * The revision of a node among those that are in it, or of a prefix of `digits` digits, given as a
   * node with whatever follows. Throws `corrupt` for a nodemap that cannot be.
   */
  find(node: Uint8Array, digits?: number): TrieMatch
  close(): void
}

/** The nodemap of an index; undefined where there is none that can be trusted. Throws `system`. */
export function openNodemap(index: NodemapIndex, options: OpenNodemapOptions): Nodemap | undefined {
  const docket = readDocket(options.indexPath)
  if (docket === undefined || !belongsTo(index, docket)) return undefined
  const source = openData(docket, options)
  if (source === undefined) return undefined
  const { dataLength } = docket
  if (dataLength > source.length || dataLength % BLOCK_BYTES !== 0 || dataLength === 0) {
    source.close()
    return undefined
  }
  options.onAccess?.(source.access)
  return nodemapOver(index, { source, dataLength, length: docket.tipRev + 1 })
}

/** The docket of an index; undefined for none, or one that cannot be read. */
export function readDocket(indexPath: string): NodemapDocket | undefined {
  const path = docketPath(indexPath)
  try {
    return parseDocket(readFileSync(path), path)
  } catch (cause) {
    // It only makes look-ups faster: what is damaged is left alone, as Mercurial does.
    if (cause instanceof RevlogError || codeOf(cause) === 'ENOENT') return undefined
    throw new RevlogError('system', `${path}: ${reasonOf(cause)}`, { cause })
  }
}

/** `.../NAME.n` of `.../NAME.i`. */
export function docketPath(indexPath: string): string {
  return `${indexPath.slice(0, -'.i'.length)}.n`
}

/** `.../NAME-UID.nd` of `.../NAME.i`. */
export function nodemapPath(indexPath: string, uid: string): string {
  return `${indexPath.slice(0, -'.i'.length)}-${uid}.nd`
}

/** A nodemap of a history that was cut off or replaced is not of this index. */
function belongsTo(index: NodemapIndex, { tipRev, tipNode }: NodemapDocket): boolean {
  if (tipRev >= index.length) return false
  const node = new Uint8Array(NODE_SIZE)
  index.copyNode(tipRev, node, 0)
  return Buffer.compare(node, tipNode) === 0
}

function openData(
  { uid }: NodemapDocket,
  { indexPath, mode, mmapThreshold }: OpenNodemapOptions,
): ByteSource | undefined {
  try {
    return openByteSource(nodemapPath(indexPath, uid), {
      mode,
      ...(mmapThreshold === undefined ? {} : { mmapThreshold }),
    })
  } catch (cause) {
    // Another program may have put a new one in its place since the docket was read.
    if (cause instanceof RevlogError && codeOf(cause.cause) === 'ENOENT') return undefined
    throw cause
  }
}

function nodemapOver(
  index: NodemapIndex,
  parts: { readonly source: ByteSource; readonly dataLength: number; readonly length: number },
): Nodemap {
  const { source, dataLength, length } = parts
  const bytes = source.bytes()
  const view = new DataView(bytes.buffer, bytes.byteOffset, dataLength)
  const candidate = new Uint8Array(NODE_SIZE)
  return {
    length,
    blocks: () => source.bytes().subarray(0, dataLength),
    find(node, digits = NODE_DIGITS) {
      // Throws `closed`: the view would point at nothing.
      source.bytes()
      const match = followDigits(view, node, digits)
      if (typeof match !== 'number') return match
      if (match >= length) {
        throw new RevlogError('corrupt', `a nodemap leads to revision ${match} of ${length}`)
      }
      index.copyNode(match, candidate, 0)
      return beginsAlike(candidate, node, digits) ? match : undefined
    },
    close: () => source.close(),
  }
}

function beginsAlike(a: Uint8Array, b: Uint8Array, digits: number): boolean {
  const whole = digits >>> 1
  for (let i = 0; i < whole; i++) if (a[i] !== b[i]) return false
  return (digits & 1) === 0 || (a[whole] ?? 0) >>> 4 === (b[whole] ?? 0) >>> 4
}
