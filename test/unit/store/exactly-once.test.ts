import { openStore } from '@assay/store'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blockOf, openWithRun, put, roundOf, take } from './example-run.ts'

/**
 * What may happen to a block, in any order. Tokens are referred to by how long ago they were given
 * out, rounds by number and by one of two contents.
 */
const happening = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('take'), host: fc.nat(1) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('put'),
      ago: fc.nat(2),
      number: fc.integer({ min: 1, max: 4 }),
      swapped: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('expire') }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('release'), ago: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reopen') }) },
)

const cells = ['b1.c1', 'b1.c2']
const contentOf = (number: number, swapped: boolean) =>
  roundOf(number, swapped ? cells.toReversed() : cells)

/** The block as it should be: who may write, and what is in each take. */
interface Expected {
  live: string | null
  host: number | null
  readonly takes: Map<number, boolean>[]
}

const codeOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown ? thrown.code : thrown
  }
}

const expectedTake = (expected: Expected, token: string, host: number): string => {
  if (expected.live !== null) return 'take-held'
  if (expected.host !== host) expected.takes.push(new Map())
  expected.host = host
  expected.live = token
  return 'taken'
}

const expectedPut = (
  expected: Expected,
  token: string,
  { number, swapped }: { readonly number: number; readonly swapped: boolean },
): string => {
  const rounds = expected.takes.at(-1)
  if (token !== expected.live || rounds === undefined) return 'take-stale'
  const saved = rounds.get(number)
  if (saved !== undefined) return saved === swapped ? 'same' : 'round-conflict'
  rounds.set(number, swapped)
  return 'created'
}

it('whatever happens to a block, every accepted round is there once and no other', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
      const opened = openWithRun([blockOf('b1', [null, null])])
      const { clock, path } = opened
      let { store } = opened
      const expected: Expected = { live: null, host: null, takes: [] }
      const tokens: string[] = []
      const tokenOf = (ago: number): string => tokens.at(-1 - ago) ?? 'never'
      for (const event of happenings) {
        if ('host' in event) {
          const token = `token-${tokens.length}`
          const outcome = codeOf(() => {
            take(store, token, { host: `host-${event.host}` })
            return 'taken'
          })
          expect(outcome).toBe(expectedTake(expected, token, event.host))
          tokens.push(token)
        } else if ('number' in event) {
          const token = tokenOf(event.ago)
          const round = contentOf(event.number, event.swapped)
          expect(codeOf(() => put(store, token, round))).toBe(expectedPut(expected, token, event))
        } else if ('ago' in event) {
          const token = tokenOf(event.ago)
          const outcome = codeOf(() => store.blocks.release({ token }))
          expect(outcome).toBe(token === expected.live ? undefined : 'take-stale')
          if (token === expected.live) expected.live = null
        } else if (event.does === 'expire') {
          clock.advance(60_000)
          expect(store.blocks.requeueExpired()).toBe(expected.live === null ? 0 : 1)
          expected.live = null
        } else {
          store.close()
          store = openStore({ path, access: 'write', now: clock.now })
        }
      }
      const { samples } = store.samples.ofRun('run-1', { limit: 1000, cursor: null })
      store.close()
      const saved = samples.map((sample) => [sample.take, sample.round, sample.cellId])
      const wanted = expected.takes.flatMap((rounds, index) =>
        [...rounds]
          .sort(([left], [right]) => left - right)
          .flatMap(([number, swapped]) =>
            contentOf(number, swapped).samples.map(({ cellId }) => [index + 1, number, cellId]),
          ),
      )
      expect(saved).toEqual(wanted)
    }),
    { numRuns: 60 },
  )
})
