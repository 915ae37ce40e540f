/**
 * Worlds whose truth is known: hosts that drift, have bursts or a second mode, as samples of a
 * baseline and a candidate that do the same work. A true change is a factor on the candidate.
 */
import { seededRandom } from '@assay/model'

/** Rounds that a world makes at most: the last look at precision. */
export const mostRounds = 60

/** A standard normal draw (Box and Muller 1958). */
const normalDraw = (random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** What every world has: 1.5 % of noise, and one sample in twenty 3 to 13 % slower. */
const base = (random) =>
  Math.exp(0.015 * normalDraw(random)) * (random() < 0.05 ? 1.03 + 0.1 * random() : 1)

/** Name, one sample's factor, and ln of the factor by which the host slows down in a round. */
export const worlds = [
  { name: 'base', sample: base, drift: 0 },
  { name: 'drift', sample: base, drift: 0.003 },
  { name: 'bursts', sample: (random) => base(random) * (random() < 0.1 ? 1.2 : 1), drift: 0 },
  { name: 'two modes', sample: (random) => base(random) * (random() < 0.3 ? 1.05 : 1), drift: 0 },
]

const drawn = (world, random) =>
  Float64Array.from({ length: mostRounds }, () => world.sample(random))

/** One report's rows: seconds of both sides by round, before any drift. */
export const drawRows = (world, rows, seed) => {
  const random = seededRandom(seed)
  return Array.from({ length: rows }, () => ({
    seconds: 0.05 + random() * random() * 5,
    baseline: drawn(world, random),
    candidate: drawn(world, random),
  }))
}

/**
 * The samples that `rounds` rounds give. Interleaved, both sides of a round meet the same drift;
 * in blocks, all of the baseline comes first and the candidate meets the host as it is by then.
 */
export const measure = (world, row, { rounds, factor = 1, layout = 'interleaved' }) => {
  const slower = (slot) => Math.exp(world.drift * slot)
  const at = {
    interleaved: [(round) => round, (round) => round],
    blocks: [(round) => round / 2, (round) => (rounds + round) / 2],
  }[layout]
  const side = (factors, slotOf, change) =>
    Array.from(
      { length: rounds },
      (_, round) => row.seconds * factors[round] * slower(slotOf(round)) * change,
    )
  return {
    baseline: side(row.baseline, at[0], 1),
    candidate: side(row.candidate, at[1], factor),
  }
}
