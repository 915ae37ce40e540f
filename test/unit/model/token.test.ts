import { randomInt } from 'node:crypto'
import { allows, lifetimeMillis, lifetimeSchema, newTokenText, scopes } from '@assay/model'
import { expect, it } from 'vitest'

it.each([
  ['read', ['read']],
  ['run', ['read', 'run']],
  ['review', ['read', 'review']],
  ['worker', ['worker']],
  ['admin', ['read', 'run', 'review', 'worker', 'admin']],
] as const)('the scope %s allows %j', (held, allowed) => {
  expect(scopes.filter((needed) => allows([held], needed))).toEqual(allowed)
})

it('several scopes allow what each of them allows, and none allows nothing', () => {
  expect(scopes.filter((needed) => allows(['worker', 'run'], needed))).toEqual([
    ...['read', 'run', 'worker'],
  ])
  expect(scopes.some((needed) => allows([], needed))).toBe(false)
})

it('a token is a prefix and 32 characters out of 62, each as likely as the other', () => {
  const texts = Array.from({ length: 400 }, () => newTokenText(randomInt))
  for (const text of texts) expect(text).toMatch(/^assay_[0-9A-Za-z]{32}$/)
  expect(new Set(texts).size).toBe(texts.length)
  const counts = new Map<string, number>()
  for (const char of texts.join('').replaceAll('assay_', '')) {
    counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  expect(counts.size).toBe(62)
  // 206 are expected of each; seven standard deviations off is no accident.
  for (const count of counts.values()) expect(Math.abs(count - 206)).toBeLessThan(100)
})

it('a lifetime is a number with its unit', () => {
  expect(['90m', '12h', '30d'].map(lifetimeMillis)).toEqual([5_400_000, 43_200_000, 2_592_000_000])
  for (const text of ['', '0d', '1', '30 d', '-1d', '1w', '1e3d', '99999d']) {
    expect(lifetimeSchema.safeParse(text).success, text).toBe(false)
  }
})
