/** Reads `exclude`: selections that must mean something, since the others are typos. */
import type { Campaign, Selection } from '@assay/model'
import { unknownName } from '../did-you-mean.ts'
import { meansSomething, selectableKeys, selectableTexts } from '../plan/selections.ts'
import { entryOf, itemsOf, type MapNode } from '../source/located-node.ts'
import type { Reading } from './reading.ts'

/** Each is tried on every cell. */
const mostSelections = 100

const checkEntries = (node: MapNode, campaign: Campaign, { faults }: Reading): boolean => {
  const before = faults.count()
  const keys = selectableKeys(campaign)
  for (const { key, keyOffset, value } of node.entries) {
    if (!keys.includes(key)) {
      faults.add(keyOffset, 'unknown-key', unknownName('key of a selection', key, keys))
    } else if (value.kind === 'text') {
      const texts = selectableTexts(campaign, key)
      if (texts.includes(value.text)) continue
      const message = unknownName(`${key} in this campaign`, value.text, texts)
      faults.add(value.offset, 'unknown-name', message)
    }
  }
  if (node.entries.length === 0) {
    faults.add(node.offset, 'empty', 'a selection names at least one key; remove this one')
  }
  return faults.count() === before
}

/** The selections of a campaign that is read but for them; faults are reported. */
export const readExclude = (campaign: Campaign, reading: Reading): readonly Selection[] => {
  const { faults, root, catalogue } = reading
  const nodes = itemsOf(entryOf(root, 'exclude')?.value)
  const beyond = nodes[mostSelections]
  if (beyond !== undefined) {
    const message = `a campaign excludes at most ${mostSelections} selections, and there are ${nodes.length}; split it`
    faults.add(beyond.offset, 'too-many-selections', message)
    return []
  }
  return nodes.flatMap((node) => {
    if (node.kind !== 'map') return []
    const selection = Object.fromEntries(
      node.entries.map(({ key, value }) => [key, value.kind === 'text' ? value.text : '']),
    )
    if (checkEntries(node, campaign, reading) && !meansSomething(selection, campaign, catalogue)) {
      const message = 'this selection matches nothing; its levels do not occur together'
      faults.add(node.offset, 'matches-nothing', message)
    }
    return [selection]
  })
}
