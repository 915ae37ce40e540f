/**
 * From a node to its revision. A persistent nodemap is asked first. Of what it does not know, a few
 * look-ups scan the index from its end, where most asked-for revisions are; whoever asks more often
 * pays once for a hash table over the nodes' first words.
 */
import { NODE_SIZE, NULL_NODE, NULL_REV } from '../format/constants.ts'
import { askNodemap } from './ask-nodemap.ts'
import type { RevlogIndex } from './revlog-index.ts'

/** Look-ups that are answered by scanning before the table is built. */
const SCANS_BEFORE_TABLE = 8

/** Finds revisions by node in one index. */
export interface NodeTable {
  /** The revision of a 20-byte node: -1 for the null node, undefined if it is not there. */
  find(node: Uint8Array): number | undefined
}

/** A look-up over the index; nothing is read before the first find(). */
export function nodeTable(index: RevlogIndex): NodeTable {
  let scans = 0
  let table: Table | undefined
  const candidate = new Uint8Array(NODE_SIZE)
  const matches = (rev: number, node: Uint8Array): boolean => {
    index.copyNode(rev, candidate, 0)
    return Buffer.compare(candidate, node) === 0
  }
  return {
    find(node) {
      if (node.length !== NODE_SIZE) return undefined
      if (Buffer.compare(node, NULL_NODE) === 0) return NULL_REV
      const { match, unknownFrom } = askNodemap(index, node)
      if (typeof match === 'number') return match
      const word = new DataView(node.buffer, node.byteOffset, 4).getUint32(0)
      const isNode = (rev: number): boolean => matches(rev, node)
      if (table?.from !== unknownFrom && scans++ < SCANS_BEFORE_TABLE) {
        return scan({ index, from: unknownFrom }, word, isNode)
      }
      if (table?.from !== unknownFrom) table = buildTable(index, unknownFrom)
      return probe({ index, slots: table.slots }, word, isNode)
    },
  }
}

interface Table {
  /** Revisions from this one on are in it. */
  readonly from: number
  /** A slot holds rev + 1, 0 is empty. */
  readonly slots: Int32Array
}

function scan(
  { index, from }: { readonly index: RevlogIndex; readonly from: number },
  word: number,
  matches: (rev: number) => boolean,
): number | undefined {
  for (let rev = index.length - 1; rev >= from; rev--) {
    if (index.nodeWord(rev) === word && matches(rev)) return rev
  }
  return undefined
}

/** Open addressing with linear probing, at most half full. */
function buildTable(index: RevlogIndex, from: number): Table {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2((index.length - from) * 2 + 2)))
  const mask = slots.length - 1
  for (let rev = from; rev < index.length; rev++) {
    let slot = index.nodeWord(rev) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = rev + 1
  }
  return { from, slots }
}

function probe(
  { index, slots }: { readonly index: RevlogIndex; readonly slots: Int32Array },
  word: number,
  matches: (rev: number) => boolean,
): number | undefined {
  const mask = slots.length - 1
  for (let slot = word & mask; ; slot = (slot + 1) & mask) {
    const rev = (slots[slot] ?? 0) - 1
    if (rev < 0) return undefined
    if (index.nodeWord(rev) === word && matches(rev)) return rev
  }
}
