/**
 * How much two texts share at their start and end, found by comparing growing blocks of memory:
 * successive manifests of 100 KB differ in one line, and this is what makes their delta cheap.
 */

const FIRST_BLOCK_BYTES = 32

/** The number of equal bytes at the start of both. */
export function commonPrefixLength(a: Buffer, b: Buffer): number {
  const limit = Math.min(a.length, b.length)
  return gallop(limit, (from, to) => a.compare(b, from, to, from, to) === 0)
}

/** The number of equal bytes at the end of both, at most `limit`. */
export function commonSuffixLength(a: Buffer, b: Buffer, limit: number): number {
  return gallop(limit, (from, to) => {
    const [aFrom, aTo] = [a.length - to, a.length - from]
    const [bFrom, bTo] = [b.length - to, b.length - from]
    return a.compare(b, bFrom, bTo, aFrom, aTo) === 0
  })
}

/** The largest n <= limit for which everything in 0..n is equal. */
function gallop(limit: number, equal: (from: number, to: number) => boolean): number {
  let known = 0
  let block = FIRST_BLOCK_BYTES
  while (known < limit) {
    const to = Math.min(limit, known + block)
    if (!equal(known, to)) return narrow({ known, differsBefore: to }, equal)
    known = to
    block *= 2
  }
  return known
}

/** The same inside a block that is known to differ. */
function narrow(
  found: { readonly known: number; readonly differsBefore: number },
  equal: (from: number, to: number) => boolean,
): number {
  let { known, differsBefore } = found
  while (differsBefore - known > 1) {
    const middle = known + ((differsBefore - known) >>> 1)
    if (equal(known, middle)) known = middle
    else differsBefore = middle
  }
  return known
}
