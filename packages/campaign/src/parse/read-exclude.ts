/** Reads `exclude`: selections that must mean something, since the others are typos. */
import type { Campaign, Selection } from '@assay/model'
import { unknownName } from '../did-you-mean.ts'
import { meansSomething } from '../plan/selections.ts'
import { entryOf, itemsOf, type MapNode, textOf } from '../source/located-node.ts'
import type { Reading } from './reading.ts'
import { exactSelectables, possibleSelectables, type Selectables } from './selectables.ts'

/** Each is tried on every cell. */
const mostSelections = 100

const checkEntries = (node: MapNode, selectables: Selectables, { faults }: Reading): void => {
  const { keys } = selectables
  for (const { key, keyOffset, value } of node.entries) {
    if (!keys.includes(key)) {
      faults.add(keyOffset, 'unknown-key', unknownName('key of a selection', key, keys))
    } else if (value.kind === 'text') {
      const texts = selectables.textsOf(key)
      if (texts === null || texts.includes(value.text)) continue
      const message = unknownName(`${key} in this campaign`, value.text, texts)
      faults.add(value.offset, 'unknown-name', message)
    }
  }
  if (node.entries.length === 0) {
    faults.add(node.offset, 'empty', 'a selection names at least one key; remove this one')
  }
}

/** The selections as they are written; each key and text that means nothing is reported. */
const checkedNodes = (selectables: Selectables, reading: Reading): readonly CheckedNode[] => {
  const { faults, root } = reading
  const nodes = itemsOf(entryOf(root, 'exclude')?.value)
  const beyond = nodes[mostSelections]
  if (beyond !== undefined) {
    const message = `a campaign excludes at most ${mostSelections} selections, and there are ${nodes.length}; split it`
    faults.add(beyond.offset, 'too-many-selections', message)
    return []
  }
  return nodes.flatMap((node) => {
    if (node.kind !== 'map') return []
    const before = faults.count()
    checkEntries(node, selectables, reading)
    const isWhole = node.entries.every(({ value }) => value.kind === 'text')
    return [{ node, isSound: isWhole && faults.count() === before }]
  })
}

interface CheckedNode {
  readonly node: MapNode
  readonly isSound: boolean
}

/** Checks the selections of a campaign with faulty sections, as far as that can be done. */
export const checkExclude = (
  faulty: { readonly isCompareFaulty: boolean },
  reading: Reading,
): void => {
  checkedNodes(possibleSelectables(reading, faulty), reading)
}

/** The selections of a campaign that is read but for them; faults are reported. */
export const readExclude = (campaign: Campaign, reading: Reading): readonly Selection[] => {
  const { faults, catalogue } = reading
  return checkedNodes(exactSelectables(campaign), reading).map(({ node, isSound }) => {
    const selection = Object.fromEntries(
      node.entries.map(({ key, value }) => [key, textOf(value) ?? '']),
    )
    if (isSound && !meansSomething(selection, campaign, catalogue)) {
      const message = 'this selection matches nothing; its levels do not occur together'
      faults.add(node.offset, 'matches-nothing', message)
    }
    return selection
  })
}
