/**
 * Whether children are quieter on a processor of their own. A virtual machine's neighbour may load
 * one of its processors and leave another alone, which no file of the kernel tells: so the same work
 * is timed free and pinned, in turns, so that a disturbance meets every place alike.
 */
import type { Launcher } from './launcher.ts'
import { busyRequest, type Noise, noiseOf, timeBusyChild } from './noise.ts'

/** Where children were while their noise was measured. */
export interface PlaceNoise {
  /** As `--pin` takes it, `child/driver`; null: wherever the kernel put them. */
  readonly pinning: string | null
  readonly noise: Noise
}

/** The first and the last processor, each with another for the driver; none where there is one. */
const pinningsOf = (
  processors: readonly number[],
): readonly { child: number; driver: number }[] => {
  const [first, last] = [processors[0], processors.at(-1)]
  if (first === undefined || last === undefined || first === last) return []
  return [
    { child: last, driver: first },
    { child: first, driver: last },
  ]
}

/** Rounds of all places: 40 of 20 ms at three places are 2.4 s. */
const defaultRounds = 40
const fewestRounds = 5

/**
 * The noise of this host free and pinned, in that order. `processors` are those that this process
 * may use, ascending; of at least five rounds. Rejects with `noise-not-measured`, and as `Launcher.run`.
 */
export const comparePinnings = async (
  launcher: Launcher,
  processors: readonly number[],
  rounds: number = defaultRounds,
): Promise<readonly PlaceNoise[]> => {
  const places = [
    { pinning: null, request: busyRequest(launcher), seconds: [] as number[] },
    ...pinningsOf(processors).map(({ child, driver }) => ({
      pinning: `${child}/${driver}`,
      request: busyRequest(launcher, String(child)),
      seconds: [] as number[],
    })),
  ]
  // One round more is run first and not counted.
  for (let round = 0; round <= Math.max(fewestRounds, rounds); round++) {
    for (const { request, seconds } of places) {
      const time = await timeBusyChild(launcher, request)
      if (round > 0) seconds.push(time)
    }
  }
  return places.map(({ pinning, seconds }) => ({ pinning, noise: noiseOf(seconds) }))
}

/** The smallest effect that the quick look of a place could show. */
const smallestOf = ({ noise }: PlaceNoise): number => noise.smallestEffects[0]?.effect ?? 0

/** Pinned must be this much quieter to be worth the advice: 40 pairs tell a spread to 20 %. */
const clearlyQuieter = 1.5

/** The pinning to advise, or null where children are as quiet wherever the kernel puts them. */
export const quieterPinning = (places: readonly PlaceNoise[]): string | null => {
  const free = places.find(({ pinning }) => pinning === null)
  const [best] = places.toSorted((left, right) => smallestOf(left) - smallestOf(right))
  if (free === undefined || best === undefined) return null
  return smallestOf(free) > smallestOf(best) * clearlyQuieter ? best.pinning : null
}
