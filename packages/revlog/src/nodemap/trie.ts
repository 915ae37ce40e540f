/**
 * The data of a persistent nodemap: a tree over the digits of nodes. A block has a cell for each of
 * the 16 digits: another block, a revision, or nothing; the last block is the root. A revision stands
 * where no other node begins alike, so that the index must be asked whether it is the one.
 */
import { RevlogError } from '../errors.ts'
import { NODE_SIZE } from '../format/constants.ts'

/** Cells of a block, one for each digit. */
export const BLOCK_CELLS = 16

/** Bytes of a block: 32 bits a cell, the first one first, big-endian. */
export const BLOCK_BYTES = 4 * BLOCK_CELLS

/** The cell of a digit that no node goes on with. From 0 on it is a block, below -1 a revision. */
export const EMPTY_CELL = -1

/** Digits of a node: the tree is not deeper. */
export const NODE_DIGITS = 2 * NODE_SIZE

/** What a cell says that holds a revision, and the reverse. */
export function cellOfRev(rev: number): number {
  return -rev - 2
}

/** The revision of a cell below -1. */
export function revOfCell(cell: number): number {
  return -cell - 2
}

/** The digit of a node at a depth. */
export function digitAt(node: Uint8Array, depth: number): number {
  const byte = node[depth >>> 1] ?? 0
  return (depth & 1) === 0 ? byte >>> 4 : byte & 0xf
}

/** Where the digits of a node lead: a revision, several, or none (undefined). */
export type TrieMatch = number | 'several' | undefined

/**
 * Follows the first `digits` digits of a node. The revision is the only candidate, not more. Throws
 * `corrupt` where a cell leads out of the data.
 */
export function followDigits(blocks: DataView, node: Uint8Array, digits: number): TrieMatch {
  const count = blocks.byteLength / BLOCK_BYTES
  if (count === 0) return undefined
  let block = count - 1
  for (let depth = 0; depth < digits; depth++) {
    const cell = blocks.getInt32(block * BLOCK_BYTES + 4 * digitAt(node, depth))
    if (cell === EMPTY_CELL) return undefined
    if (cell < EMPTY_CELL) return revOfCell(cell)
    if (cell >= count)
      throw new RevlogError('corrupt', `a nodemap leads to block ${cell} of ${count}`)
    block = cell
  }
  return 'several'
}
