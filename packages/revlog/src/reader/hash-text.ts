/**
 * The node of a text: SHA-1 over the two parents' nodes, the smaller first, and the text.
 * Source: `hg help internals.revlogs`, "Hash".
 */
import { createHash, hash } from 'node:crypto'
import { NODE_SIZE } from '../format/constants.ts'

/** Up to this size, copying behind the parents and hashing in one call is faster than streaming. */
const ONE_CALL_BYTES = 262_144

/** Grows to what the texts need; most commands see none of more than this. */
let scratch = Buffer.allocUnsafeSlow(8_192)

/** The node of `text` with the given parents' nodes, as 40 hexadecimal digits. */
export function hashText(p1: Uint8Array, p2: Uint8Array, text: Uint8Array): string {
  const swap = Buffer.compare(p1, p2) > 0
  const small = swap ? p2 : p1
  const large = swap ? p1 : p2
  if (text.length > ONE_CALL_BYTES) {
    return createHash('sha1').update(small).update(large).update(text).digest('hex')
  }
  const length = 2 * NODE_SIZE + text.length
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(2 * length)
  scratch.set(small, 0)
  scratch.set(large, NODE_SIZE)
  scratch.set(text, 2 * NODE_SIZE)
  return hash('sha1', scratch.subarray(0, length), 'hex')
}
