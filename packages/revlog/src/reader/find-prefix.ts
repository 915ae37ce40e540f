/**
 * From the first digits of a node to its revision: by the persistent nodemap where there is one, by a
 * look at every entry that it does not know otherwise.
 */
import { NODE_SIZE, NULL_REV } from '../format/constants.ts'
import { askNodemap } from './ask-nodemap.ts'
import type { RevlogIndex } from './revlog-index.ts'

/** Digits of a node's first word. */
const WORD_DIGITS = 8

/** The revision of a prefix in lower-case digits; -1 for that of the null node, undefined for none. */
export function findPrefix(index: RevlogIndex, prefix: string): number | 'several' | undefined {
  const node = Buffer.from(prefix.padEnd(2 * NODE_SIZE, '0'), 'hex')
  const { match, unknownFrom } = askNodemap(index, node, prefix.length)
  if (match === 'several') return 'several'
  const candidates = /^0+$/.test(prefix) ? [NULL_REV] : []
  if (match !== undefined) candidates.push(match)
  const shift = 32 - 4 * Math.min(WORD_DIGITS, prefix.length)
  const word = Number.parseInt(prefix.slice(0, WORD_DIGITS), 16)
  for (let rev = unknownFrom; rev < index.length && candidates.length < 2; rev++) {
    if (index.nodeWord(rev) >>> shift !== word) continue
    if (prefix.length > WORD_DIGITS && !index.nodeHex(rev).startsWith(prefix)) continue
    candidates.push(rev)
  }
  return candidates.length > 1 ? 'several' : candidates[0]
}
