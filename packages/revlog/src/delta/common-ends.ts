/**
 * How much two texts share at their start and end, found by comparing growing blocks of memory:
 * successive manifests of 100 KB differ in one line, and this is what makes their delta cheap.
 */

const FIRST_BLOCK_BYTES = 32

/** Below this many bytes a loop finds the difference sooner than further comparisons. */
const LOOP_BYTES = 64

/** The number of equal bytes at the start of both. */
export function commonPrefixLength(a: Buffer, b: Buffer): number {
  const limit = Math.min(a.length, b.length)
  const { known, beyond } = gallop(limit, (from, to) => a.compare(b, from, to, from, to) === 0)
  let length = known
  while (length < beyond && a[length] === b[length]) length++
  return length
}

/** The number of equal bytes at the end of both, at most `limit`. */
export function commonSuffixLength(a: Buffer, b: Buffer, limit: number): number {
  const { known, beyond } = gallop(limit, (from, to) => {
    const [aFrom, aTo] = [a.length - to, a.length - from]
    const [bFrom, bTo] = [b.length - to, b.length - from]
    return a.compare(b, bFrom, bTo, aFrom, aTo) === 0
  })
  let length = known
  while (length < beyond && a[a.length - length - 1] === b[b.length - length - 1]) length++
  return length
}

interface Found {
  /** Everything in 0..known is equal. */
  readonly known: number
  /** The first difference, if there is one, lies before this. */
  readonly beyond: number
}

/** Narrows the end of what is equal down to a short range. */
function gallop(limit: number, equal: (from: number, to: number) => boolean): Found {
  let known = 0
  let block = FIRST_BLOCK_BYTES
  while (known < limit) {
    const to = Math.min(limit, known + block)
    if (!equal(known, to)) return narrow({ known, beyond: to }, equal)
    known = to
    block *= 2
  }
  return { known, beyond: known }
}

/** The same inside a block that is known to differ. */
function narrow(found: Found, equal: (from: number, to: number) => boolean): Found {
  let { known, beyond } = found
  while (beyond - known > LOOP_BYTES) {
    const middle = known + ((beyond - known) >>> 1)
    if (equal(known, middle)) known = middle
    else beyond = middle
  }
  return { known, beyond }
}
