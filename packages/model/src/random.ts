/**
 * Seeded randomness: the order of rounds, generated datasets and resampling are functions of a
 * seed, so that a resumed block is the same block and a report is the same everywhere.
 * Generator: sfc32 (C. Doty-Humphrey, PractRand, public domain), seeded by FNV-1a of the text.
 */

/** A source of uniform numbers in [0, 1), 32 bits fine. */
export type Random = () => number

/** FNV-1a, 32 bit (G. Fowler, L. Noll, K.-P. Vo): offset basis and prime of the specification. */
const fnv1a = (text: string, basis: number): number => {
  let hash = basis >>> 0
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}

/** The generator that belongs to `seed`: equal seeds give equal sequences on every machine. */
export const seededRandom = (seed: string): Random => {
  let a = fnv1a(seed, 0x811c9dc5)
  let b = fnv1a(seed, a ^ 0x9e3779b9)
  let c = fnv1a(seed, b ^ 0x85ebca6b)
  let counter = 1
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  // sfc32 wants a dozen draws before a weak seed has spread.
  for (let draw = 0; draw < 15; draw += 1) next()
  return next
}

/** `items` in a random order, each order equally likely (Fisher-Yates); the input is untouched. */
export const shuffled = <Item>(items: readonly Item[], random: Random): Item[] => {
  const order = [...items]
  for (let end = order.length - 1; end > 0; end -= 1) {
    const pick = Math.floor(random() * (end + 1))
    const last = order[end]
    const chosen = order[pick]
    if (last === undefined || chosen === undefined) continue
    order[end] = chosen
    order[pick] = last
  }
  return order
}
