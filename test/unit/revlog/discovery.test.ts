/** Set discovery on random histories: what is decided is true, and it is decided in few questions. */
import { chooseSample, Undecided } from '@assay/revlog'
import fc from 'fast-check'
import { expect, test } from 'vitest'

interface Case {
  readonly parents: readonly (readonly [number, number])[]
  readonly remoteHeads: readonly number[]
}

const index = (parents: Case['parents']) => ({
  p1: (rev: number): number => parents[rev]?.[0] ?? -1,
  p2: (rev: number): number => parents[rev]?.[1] ?? -1,
})

function ancestors(parents: Case['parents'], heads: readonly number[]): ReadonlySet<number> {
  const seen = new Set<number>()
  const waiting = [...heads]
  for (let rev = waiting.pop(); rev !== undefined; rev = waiting.pop()) {
    if (rev < 0 || seen.has(rev)) continue
    seen.add(rev)
    waiting.push(...(parents[rev] ?? []))
  }
  return seen
}

const histories = (size: number): fc.Arbitrary<Case> =>
  fc
    .array(fc.tuple(fc.nat(), fc.nat(), fc.nat(9)), { minLength: 1, maxLength: size })
    .chain((seeds) => {
      const parents = seeds.map(([a, b, kind], rev): readonly [number, number] =>
        rev === 0 || kind === 0
          ? [-1, -1]
          : [kind < 7 ? rev - 1 : a % rev, kind === 9 ? b % rev : -1],
      )
      return fc.record({
        parents: fc.constant(parents),
        remoteHeads: fc.array(fc.nat(parents.length - 1), { maxLength: 3 }),
      })
    })

function ask({ parents, remoteHeads }: Case, size: number, random: () => number) {
  const remote = ancestors(parents, remoteHeads)
  const all = parents.map((_pair, rev) => rev)
  const withChild = new Set(parents.flat())
  const heads = all.filter((rev) => !withChild.has(rev))
  const state = new Undecided(index(parents), heads)
  let questions = 0
  for (let undecided = state.revs(); undecided.length > 0; undecided = state.revs()) {
    const sample = chooseSample({ index: index(parents), undecided, size, random })
    expect(new Set(sample).size).toBe(Math.min(size, undecided.length))
    state.addCommon(sample.filter((rev) => remote.has(rev)))
    state.addMissing(sample.filter((rev) => !remote.has(rev)))
    questions += 1
  }
  const found = ancestors(parents, state.commonHeads())
  return { found, remote, questions, heads: state.commonHeads() }
}

test('what both sides have is found, whatever the history, the sample and chance', () => {
  fc.assert(
    fc.property(
      histories(60),
      fc.integer({ min: 1, max: 12 }),
      fc.noShrink(fc.integer()),
      (one, size, seed) => {
        let state = seed >>> 0
        const random = (): number => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
          return state / 2 ** 32
        }
        const { found, remote, heads } = ask(one, size, random)
        expect([...found].sort()).toEqual([...remote].sort())
        // Heads only: none of them is another one's ancestor.
        for (const head of heads) {
          const others = heads.filter((other) => other !== head)
          expect(ancestors(one.parents, others).has(head)).toBe(false)
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('a line of a hundred thousand changesets is decided in few questions', () => {
  const parents = Array.from({ length: 100_000 }, (_, rev) => [rev - 1, -1] as const)
  let state = 7
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const { found, questions } = ask({ parents, remoteHeads: [61_803] }, 200, random)
  expect(found.size).toBe(61_804)
  expect(questions).toBeLessThan(10)
})
