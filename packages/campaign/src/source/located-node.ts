/**
 * YAML as a campaign needs it: texts, lists and maps with their offsets, in written order. Levels
 * stay the source text of their scalars, and order survives that a plain object would lose.
 */

export interface TextNode {
  readonly kind: 'text'
  readonly text: string
  readonly offset: number
}
export interface ListNode {
  readonly kind: 'list'
  readonly items: readonly LocatedNode[]
  readonly offset: number
}
export interface MapEntry {
  readonly key: string
  readonly keyOffset: number
  readonly value: LocatedNode
}
export interface MapNode {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
  readonly offset: number
}
/** Something that was refused and reported already: it silences what would follow from it. */
export interface HoleNode {
  readonly kind: 'hole'
  readonly offset: number
}
export type LocatedNode = TextNode | ListNode | MapNode | HoleNode

/** A way from the root: keys of maps, indexes of lists. */
export type NodePath = readonly PropertyKey[]

/** The entry under `key`, if `node` is a map that has it. */
export const entryOf = (node: LocatedNode | undefined, key: PropertyKey): MapEntry | undefined =>
  node?.kind === 'map' ? node.entries.find((entry) => entry.key === key) : undefined

/** The items of a list; a text or map alone is a list of one; else none. */
export const itemsOf = (node: LocatedNode | undefined): readonly LocatedNode[] => {
  if (node === undefined || node.kind === 'hole') return []
  return node.kind === 'list' ? node.items : [node]
}

/** The texts of a text or of a list of texts. */
export const textsOf = (node: LocatedNode | undefined): readonly TextNode[] =>
  itemsOf(node).flatMap((item) => (item.kind === 'text' ? [item] : []))

/** The text of a text node; undefined for anything else. */
export const textOf = (node: LocatedNode | undefined): string | undefined =>
  node?.kind === 'text' ? node.text : undefined

/** What a path leads to, or how far it leads. */
export interface Found {
  readonly node: LocatedNode
  /** Where the last key on the way is written; the node's own place in lists and at the root. */
  readonly keyOffset: number
  readonly whole: boolean
}

/** Follows `path` as far as it exists. */
export const follow = (root: LocatedNode, path: NodePath): Found => {
  let node = root
  let keyOffset = root.offset
  for (const step of path) {
    const entry = entryOf(node, step)
    const next = node.kind === 'list' && typeof step === 'number' ? node.items[step] : entry?.value
    if (next === undefined) return { node, keyOffset, whole: false }
    keyOffset = entry?.keyOffset ?? next.offset
    node = next
  }
  return { node, keyOffset, whole: true }
}

/** Plain JSON values for a schema: texts as strings, holes as undefined, maps without prototype. */
export const plainOf = (node: LocatedNode): unknown => {
  if (node.kind === 'text') return node.text
  if (node.kind === 'list') return node.items.map(plainOf)
  if (node.kind === 'hole') return undefined
  const plain: Record<string, unknown> = Object.create(null)
  for (const { key, value } of node.entries) plain[key] = plainOf(value)
  return plain
}
