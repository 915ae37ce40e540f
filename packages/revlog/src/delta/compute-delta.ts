/**
 * Makes the delta that turns one text into another, in the form in which revlogs store it. Whether a
 * delta is worth storing is left to the writer.
 */
import { diffHunks, type Hunk } from './diff-hunks.ts'

/** The delta for which `applyDeltas(base, [delta])` is `target`; empty when they are equal. */
export function computeDelta(base: Uint8Array, target: Uint8Array): Uint8Array {
  return serialize(target, diffHunks(base, target))
}

function serialize(target: Uint8Array, hunks: readonly Hunk[]): Uint8Array {
  let length = 0
  for (const { bFrom, bTo } of hunks) length += 12 + bTo - bFrom
  const delta = new Uint8Array(length)
  const view = new DataView(delta.buffer)
  let at = 0
  for (const { aFrom, aTo, bFrom, bTo } of hunks) {
    view.setUint32(at, aFrom)
    view.setUint32(at + 4, aTo)
    view.setUint32(at + 8, bTo - bFrom)
    delta.set(target.subarray(bFrom, bTo), at + 12)
    at += 12 + bTo - bFrom
  }
  return delta
}
