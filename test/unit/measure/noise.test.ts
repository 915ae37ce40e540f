import {
  comparePinnings,
  type Launcher,
  type Noise,
  noiseOf,
  openLauncher,
  type PlaceNoise,
  quieterPinning,
  usableProcessors,
} from '@assay/measure'
import { seededRandom } from '@assay/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const times = fc.array(fc.double({ min: 0.01, max: 0.1, noNaN: true }), {
  minLength: 5,
  maxLength: 60,
})

/** Times around 1 whose logarithms are normal with a deviation of `spread`. */
const noisyTimes = (count: number, spread: number): number[] => {
  const random = seededRandom('noise')
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Array.from({ length: count }, () => Math.exp(spread * normal()))
}

describe('the noise in a row of times', () => {
  it('is none where all are the same', () => {
    expect(noiseOf(Array(10).fill(0.25))).toEqual({
      samples: 10,
      medianSeconds: 0.25,
      coefficientOfVariation: 0,
      relativeMad: 0,
      smallestEffects: [
        { rounds: 20, effect: 0 },
        { rounds: 45, effect: 0 },
      ],
    })
  })

  it('does not depend on the unit of time', () => {
    fc.assert(
      fc.property(times, (seconds) => {
        const one = noiseOf(seconds)
        const other = noiseOf(seconds.map((value) => value * 1000))
        expect(other.coefficientOfVariation).toBeCloseTo(one.coefficientOfVariation, 9)
        expect(other.relativeMad).toBeCloseTo(one.relativeMad, 9)
        for (const [at, { effect }] of one.smallestEffects.entries())
          expect(other.smallestEffects[at]?.effect).toBeCloseTo(effect, 9)
      }),
    )
  })

  it('shows smaller effects with more rounds', () => {
    fc.assert(
      fc.property(times, (seconds) => {
        const [few, many] = noiseOf(seconds).smallestEffects
        expect(many?.effect).toBeLessThanOrEqual(few?.effect ?? -1)
      }),
    )
  })

  it('comes to what the arithmetic of pairs says for normal noise', () => {
    const { smallestEffects, coefficientOfVariation } = noiseOf(noisyTimes(20_000, 0.05))
    expect(coefficientOfVariation).toBeCloseTo(0.05, 2)
    // A pair's log ratio deviates by 0.05 * sqrt(2); 2.8 / sqrt(20 * 3 / pi) of it can be shown.
    expect(smallestEffects[0]?.effect).toBeCloseTo((2.8 * 0.05 * Math.SQRT2) / 4.37, 2)
  })

  it('is hardly moved by a few disturbed times, which the coefficient of variation is', () => {
    const calm = noisyTimes(100, 0.01)
    const disturbed = calm.map((value, at) => (at % 25 === 0 ? value * 5 : value))
    const effect = (values: readonly number[]) => noiseOf(values).smallestEffects[0]?.effect ?? -1
    expect(effect(disturbed)).toBeLessThan(2 * effect(calm))
    expect(noiseOf(disturbed).coefficientOfVariation).toBeGreaterThan(0.3)
  })
})

describe('the noise of this host', () => {
  it.each(['native', 'koffi'] as const)('can be measured by a %s launcher', async (kind) => {
    const launcher = await openLauncher({ hostLock: null, kind })
    const places = await comparePinnings(launcher, [], 1)
    await launcher.close()
    expect(places).toMatchObject([{ pinning: null }])
    const [{ noise } = { noise: noiseOf([]) }] = places
    expect(noise.samples).toBe(5)
    expect(noise.medianSeconds).toBeGreaterThan(0)
    for (const { effect } of noise.smallestEffects) expect(effect).toBeGreaterThanOrEqual(0)
  })

  it('is not told when the child it is tried with cannot run', async () => {
    const launcher = await openLauncher({ hostLock: null, kind: 'native' })
    const offline: Launcher['run'] = (request) => launcher.run({ ...request, cpus: '1023' })
    const broken: Launcher = {
      ...{ kind: 'native', pid: 0 },
      ...{ run: offline, cancel() {}, close: async () => {} },
    }
    await expect(comparePinnings(broken, [])).rejects.toMatchObject({ code: 'noise-not-measured' })
    await launcher.close()
  })
})

describe('places for children', () => {
  it('are tried in turns: anywhere, on the last processor and on the first', async () => {
    const cpus: (string | undefined)[] = []
    const launcher = await openLauncher({ hostLock: null })
    const noting: Launcher = {
      ...{ kind: launcher.kind, pid: launcher.pid },
      ...{ cancel: () => launcher.cancel(), close: () => launcher.close() },
      run: (request) => {
        cpus.push(request.cpus)
        return launcher.run(request)
      },
    }
    const processors = usableProcessors()
    const [first, last] = [processors[0] ?? 0, processors.at(-1) ?? 0]
    const places = await comparePinnings(noting, processors, 5)
    await launcher.close()
    expect(first).toBeLessThan(last)
    expect(places.map(({ pinning }) => pinning)).toEqual([
      null,
      `${last}/${first}`,
      `${first}/${last}`,
    ])
    expect(cpus.slice(0, 6)).toEqual([
      ...[undefined, `${last}`, `${first}`],
      ...[undefined, `${last}`, `${first}`],
    ])
  })

  const place = (pinning: string | null, effect: number): PlaceNoise => {
    const noise: Noise = { ...noiseOf([1, 1, 1]), smallestEffects: [{ rounds: 20, effect }] }
    return { pinning, noise }
  }

  it('are advised only where they are clearly quieter than anywhere', () => {
    const free = place(null, 0.05)
    expect(quieterPinning([free, place('1/0', 0.02), place('0/1', 0.01)])).toBe('0/1')
    expect(quieterPinning([free, place('1/0', 0.04), place('0/1', 0.06)])).toBeNull()
    expect(quieterPinning([free])).toBeNull()
    expect(quieterPinning([])).toBeNull()
  })
})
