/**
 * Memory that a native call writes into, used again by the next call: a fresh array for each would
 * cost more than most calls.
 */

/** Where a buffer starts. */
const SCRATCH_BYTES = 65_536

/** Gives always the same buffer, of at least so many bytes; it is replaced when it is too small. */
export function growingScratch(): (bytes: number) => Uint8Array {
  let scratch = new Uint8Array(0)
  return (bytes) => {
    if (scratch.length < bytes || scratch.length === 0) {
      scratch = new Uint8Array(Math.max(bytes, scratch.length * 2, SCRATCH_BYTES))
    }
    return scratch
  }
}
