/**
 * Makes the data of a nodemap, from nothing or from what there is: new revisions are put into the
 * tree in memory, and the whole of it is then written with each block behind those it leads to.
 */
import { RevlogError } from '../errors.ts'
import {
  BLOCK_BYTES,
  BLOCK_CELLS,
  cellOfRev,
  digitAt,
  EMPTY_CELL,
  NODE_DIGITS,
  revOfCell,
} from './trie.ts'

/** Nodes by revision. */
export interface NodesByRev {
  readonly length: number
  /** The node; a copy or a view. */
  node(rev: number): Uint8Array
}

/** What a nodemap has already. */
export interface TrieSoFar {
  /** The blocks, the root last; not changed. */
  readonly blocks: Uint8Array
  /** Revisions from this one on are not in it. */
  readonly length: number
}

/** The data of a nodemap over all revisions. Throws `corrupt` when what there is makes no sense. */
export function growTrie(nodes: NodesByRev, before?: TrieSoFar): Uint8Array {
  const tree = before === undefined ? emptyTree() : loadTree(before.blocks)
  for (let rev = before?.length ?? 0; rev < nodes.length; rev++) insert(tree, nodes, rev)
  return serializeTree(tree)
}

/** Blocks in the order in which they were made. */
interface Tree {
  cells: Int32Array
  count: number
  readonly root: number
}

const FIRST_BLOCKS = 64

function emptyTree(): Tree {
  const tree = { cells: new Int32Array(FIRST_BLOCKS * BLOCK_CELLS), count: 0, root: 0 }
  addBlock(tree)
  return tree
}

function loadTree(blocks: Uint8Array): Tree {
  const count = blocks.length / BLOCK_BYTES
  if (count === 0) return emptyTree()
  const cells = new Int32Array(blocks.length / 4)
  const bytes = Buffer.from(cells.buffer)
  bytes.set(blocks)
  bytes.swap32()
  return { cells, count, root: count - 1 }
}

function addBlock(tree: Tree): number {
  const at = tree.count * BLOCK_CELLS
  if (at === tree.cells.length) {
    const larger = new Int32Array(2 * tree.cells.length)
    larger.set(tree.cells)
    tree.cells = larger
  }
  tree.cells.fill(EMPTY_CELL, at, at + BLOCK_CELLS)
  tree.count += 1
  return tree.count - 1
}

function insert(tree: Tree, nodes: NodesByRev, rev: number): void {
  const node = nodes.node(rev)
  let block = tree.root
  for (let depth = 0; depth < NODE_DIGITS; depth++) {
    const at = block * BLOCK_CELLS + digitAt(node, depth)
    const cell = tree.cells[at] ?? EMPTY_CELL
    if (cell === EMPTY_CELL) {
      tree.cells[at] = cellOfRev(rev)
      return
    }
    if (cell >= tree.count) throw damaged(`block ${cell} of ${tree.count}`)
    block = cell > EMPTY_CELL ? cell : pushDown(tree, nodes, { at, depth, cell })
  }
  // The same node twice, as in a damaged index: the first one stays.
}

/** Makes a block in the place of a revision, which moves there. Gives the block. */
function pushDown(
  tree: Tree,
  nodes: NodesByRev,
  { at, depth, cell }: { readonly at: number; readonly depth: number; readonly cell: number },
): number {
  const rev = revOfCell(cell)
  if (rev >= nodes.length) throw damaged(`revision ${rev} of ${nodes.length}`)
  const block = addBlock(tree)
  tree.cells[at] = block
  if (depth + 1 < NODE_DIGITS) {
    tree.cells[block * BLOCK_CELLS + digitAt(nodes.node(rev), depth + 1)] = cell
  }
  return block
}

/** All blocks that the root leads to, each behind those that it leads to itself. */
function serializeTree({ cells, count, root }: Tree): Uint8Array {
  const target = new Int32Array(count * BLOCK_CELLS)
  let written = 0
  const write = (block: number, depth: number): number => {
    if (depth >= NODE_DIGITS) throw damaged('itself')
    const own = new Int32Array(BLOCK_CELLS)
    for (let digit = 0; digit < BLOCK_CELLS; digit++) {
      const cell = cells[block * BLOCK_CELLS + digit] ?? EMPTY_CELL
      if (cell >= count) throw damaged(`block ${cell} of ${count}`)
      own[digit] = cell > EMPTY_CELL ? write(cell, depth + 1) : cell
    }
    // Two ways to one block: it is no tree.
    if (written === count) throw damaged('a block twice')
    target.set(own, written * BLOCK_CELLS)
    written += 1
    return written - 1
  }
  write(root, 0)
  const bytes = Buffer.from(target.buffer, 0, written * BLOCK_BYTES)
  return bytes.swap32()
}

function damaged(where: string): RevlogError {
  return new RevlogError('corrupt', `a nodemap leads to ${where}: a new one must be made`)
}
