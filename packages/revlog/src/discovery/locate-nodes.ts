/**
 * Nodes as the wire names them, in hexadecimal digits, to revisions: all in one pass over an index.
 */

import { hexOf } from '../format/byte-string.ts'
import { NULL_NODE, NULL_REV } from '../format/constants.ts'
import { findNodes } from '../reader/find-nodes.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'

const NULL_HEX = hexOf(NULL_NODE)

/** The revision of each node: -1 for the null node, undefined for one that is not here. */
export function locateNodes(
  index: RevlogIndex,
  nodes: readonly string[],
): readonly (number | undefined)[] {
  const revs = new Map<string, number>([[NULL_HEX, NULL_REV]])
  const wanted = [...new Set(nodes)].filter((hex) => hex !== NULL_HEX)
  const binary = wanted.map((hex) => Buffer.from(hex, 'hex'))
  findNodes(index, binary, (node, rev) => revs.set(hexOf(node), rev))
  return nodes.map((hex) => revs.get(hex))
}
