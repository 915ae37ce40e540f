import {
  type Comparison,
  type Evidence,
  type Report,
  reportSchema,
  seededRandom,
  shuffled,
} from '@assay/model'
import { judgeRun } from '@assay/stats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CellOf, evidenceOf, noisy, type RunOf, type Value } from './evidence-of.ts'

const candidateOf = (report: Report, block = 0): Comparison => {
  const comparison = report.blocks[block]?.rows.find((row) => row.role === 'candidate')?.comparison
  if (comparison === null || comparison === undefined) throw new Error('no candidate')
  return comparison
}

const judgeTwo = (
  baseline: Omit<CellOf, 'label'>,
  candidate: Omit<CellOf, 'label'>,
  of: Omit<RunOf, 'blocks'> = {},
): Comparison =>
  candidateOf(
    judgeRun(
      evidenceOf({
        ...of,
        blocks: [
          [
            { label: 'old', ...baseline },
            { label: 'new', ...candidate },
          ],
        ],
      }),
    ),
  )

/** Ratios around `ratio`, spread evenly by +-`half`. */
const around = (ratio: number, half: number, count = 20): number[] =>
  Array.from({ length: count }, (_, index) => ratio * (1 + half * ((2 * index) / (count - 1) - 1)))
const ones = (count = 20): number[] => new Array<number>(count).fill(1)
const codes = (comparison: Comparison): string[] => comparison.warnings.map(({ code }) => code)

describe('verdicts', () => {
  test('ten percent slower, surely, is a regression; ten percent faster an improvement', () => {
    const slower = judgeTwo({ values: ones() }, { values: around(1.1, 0.02) })
    expect(slower.verdict).toBe('regression')
    expect(slower.effect).toBeCloseTo(Math.log(1.1), 3)
    expect(slower.reason).toMatch(
      /^new is 10\.0 % slower than old \(95 % interval \+9\.\d+ % to \+10\.\d %, 20 pairs, p < 0\.0001 after correction\)\.$/,
    )
    expect(judgeTwo({ values: ones() }, { values: around(0.9, 0.02) }).verdict).toBe('improvement')
  })

  test('no difference with an interval inside the tolerance is unchanged', () => {
    const same = judgeTwo({ values: ones() }, { values: around(1, 0.01) })
    expect(same.verdict).toBe('unchanged')
    expect(same.roundsNeeded).toBeNull()
  })

  test('noise that allows both is inconclusive, with what was detectable and the rounds needed', () => {
    const unsure = judgeTwo({ values: ones() }, { values: around(1.01, 0.12) })
    expect(unsure.verdict).toBe('inconclusive')
    expect(unsure.minimumDetectable).toBeGreaterThan(0.03)
    expect(unsure.roundsNeeded).toBeGreaterThan(20)
    expect(unsure.reason).toContain(`about ${unsure.roundsNeeded} rounds in all would decide`)
  })

  test('a certain change between threshold and tolerance is flagged, and the reason says why', () => {
    const small = judgeTwo({ values: ones() }, { values: around(1.013, 0.001) })
    expect(small.verdict).toBe('regression')
    expect(small.reason).toContain('within the tolerance of 2.00 % too')
  })

  test('a certain change below the threshold is unchanged if the tolerance holds it', () => {
    expect(judgeTwo({ values: ones() }, { values: around(1.005, 0.001) }).verdict).toBe('unchanged')
  })

  test('a certain change between tolerance and a larger threshold is neither, and more rounds do not help', () => {
    const between = judgeTwo(
      { values: ones() },
      { values: around(1.03, 0.001) },
      { rules: { threshold: 0.05 } },
    )
    expect(between.verdict).toBe('inconclusive')
    expect(between.reason).toContain('less than the threshold of 5.00 %')
    expect(between.roundsNeeded).toBeNull()
  })

  test('exactly the threshold counts, in either direction', () => {
    expect(judgeTwo({ values: ones() }, { values: new Array(20).fill(1.01) }).verdict).toBe(
      'regression',
    )
    expect(judgeTwo({ values: new Array(20).fill(1.01) }, { values: ones() }).verdict).toBe(
      'improvement',
    )
  })

  test('a difference below minDifference is not flagged; for another unit than time it does not apply', () => {
    const rules = { minDifferenceSeconds: 0.2 }
    const values = around(1.1, 0.01)
    expect(judgeTwo({ values: ones() }, { values }, { rules }).verdict).toBe('inconclusive')
    expect(judgeTwo({ values: ones() }, { values }, { rules, unit: 'bytes' }).verdict).toBe(
      'regression',
    )
    const report = judgeRun(evidenceOf({ rules, unit: 'bytes', blocks: [] }))
    expect(report.warnings.map(({ code }) => code)).toEqual(['min-difference-ignored'])
  })

  test('failed, unsupported, skipped and unmeasured rows say so', () => {
    const failed = judgeTwo(
      { values: ones() },
      { values: ones(), status: 'failed', reason: 'exit 1' },
    )
    expect([failed.verdict, failed.reason, failed.pairs]).toEqual([
      'failed',
      'new failed: exit 1.',
      0,
    ])
    const unsupported = judgeTwo(
      { values: ones() },
      { values: [], status: 'unsupported', reason: 'no rust' },
    )
    expect([unsupported.verdict, unsupported.reason]).toEqual(['unsupported', 'new: no rust.'])
    expect(judgeTwo({ values: ones() }, { values: [], status: 'skipped' }).verdict).toBe(
      'inconclusive',
    )
    expect(judgeTwo({ values: ones() }, { values: [], status: 'queued' }).reason).toContain(
      'not measured yet',
    )
  })

  test('a baseline that failed leaves no-baseline; one that is still to come leaves it open', () => {
    const failed = judgeTwo(
      { values: ones(), status: 'failed', reason: 'exit 1' },
      { values: ones() },
    )
    expect(failed.verdict).toBe('no-baseline')
    expect(failed.reason).toBe(
      'new has nothing to be compared with: the baseline old (b1.c1) failed: exit 1.',
    )
    expect(judgeTwo({ values: [], status: 'queued' }, { values: ones() }).verdict).toBe(
      'inconclusive',
    )
    const excluded = evidenceOf({ blocks: [[{ label: 'new', role: 'candidate', values: ones() }]] })
    expect(candidateOf(judgeRun(excluded)).verdict).toBe('no-baseline')
  })

  test('an unknown host, or a parameter the compared factor does not determine, is not comparable', () => {
    const unknown = judgeTwo({ values: ones() }, { values: ones() }, { fingerprint: null })
    expect(unknown.verdict).toBe('not-comparable')
    const other = judgeTwo(
      { values: ones(), parameters: { mode: 'a', revs: '1' } },
      { values: ones(), parameters: { mode: 'b', revs: '2' } },
    )
    expect(other.verdict).toBe('not-comparable')
    expect(other.reason).toContain('differ in revs')
  })

  test('a failed sample never pairs, and its round is counted', () => {
    const values: Value[] = around(1.1, 0.01)
    values[3] = null
    const baseline: Value[] = ones()
    baseline[7] = null
    const comparison = judgeTwo({ values: baseline }, { values })
    expect([comparison.pairs, comparison.rounds]).toEqual([18, 20])
    expect(comparison.warnings).toContainEqual({
      code: 'missing-pairs',
      message:
        '18/20 rounds have a good sample on both sides (lost: old: 1 failed of 20; new: 1 failed of 20).',
    })
  })

  test('zero and negative values have no ratio: inconclusive with a warning', () => {
    const zero = judgeTwo({ values: ones() }, { values: new Array(20).fill(0) })
    expect([zero.verdict, zero.effect, codes(zero)]).toEqual([
      'inconclusive',
      null,
      ['nonpositive-value', 'coarse-values'],
    ])
    expect(judgeTwo({ values: new Array(20).fill(0) }, { values: ones() }).change).toBeNull()
  })

  test('five pairs flag nothing, however large the change, and warn', () => {
    const few = judgeTwo({ values: ones(5) }, { values: around(3, 0.01, 5) })
    expect(few.verdict).toBe('inconclusive')
    expect(codes(few)).toEqual(['too-few-rounds'])
    expect(few.roundsNeeded).toBe(12)
    expect(few.reason).toContain('cannot show any change')
  })

  test('a side that alone lost samples is called neither the same nor better', () => {
    const without = (values: readonly number[], lost: readonly number[]): Value[] =>
      values.map((value, round) => (lost.includes(round) ? null : value))
    const verdict = (baseline: readonly Value[], candidate: readonly Value[]): string =>
      judgeTwo({ values: baseline }, { values: candidate }).verdict
    const [same, slow, fast] = [around(1, 0.005), around(1.1, 0.01), around(0.9, 0.01)]
    expect(verdict(ones(), without(same, [3, 7]))).toBe('inconclusive')
    expect(verdict(ones(), without(fast, [3, 7]))).toBe('inconclusive')
    expect(verdict(ones(), without(slow, [3, 7]))).toBe('regression')
    expect(verdict(without(ones(), [3]), same)).toBe('inconclusive')
    expect(verdict(without(ones(), [3]), slow)).toBe('inconclusive')
    expect(verdict(without(ones(), [3]), fast)).toBe('improvement')
    expect(verdict(without(ones(), [3]), without(same, [9]))).toBe('unchanged')
    const { reason } = judgeTwo({ values: ones() }, { values: without(same, [3, 7]) })
    expect(reason).toContain('but samples were lost on one side')
    expect(reason).toContain('(old: none; new: 2 failed of 20).')
  })

  test('a part of the samples that is slower keeps a row from being unchanged', () => {
    const random = seededRandom('a fifth doubled')
    const quiet = () => Array.from({ length: 20 }, () => 1 + 0.01 * (random() - 0.5))
    const partly = quiet().map((value, round) => (round % 5 === 2 ? 2 * value : value))
    for (const pairing of ['paired', 'unpaired'] as const) {
      const slower = judgeTwo({ values: quiet() }, { values: partly }, { pairing })
      expect([slower.verdict, codes(slower)]).toEqual([
        'inconclusive',
        ['several-modes', 'mean-differs'],
      ])
      expect(slower.reason).toMatch(/, but the mean is 20\.\d % higher \(95 % interval \+\d/)
      const faster = judgeTwo({ values: partly }, { values: quiet() }, { pairing })
      expect(faster.reason).toMatch(/, but the mean is 16\.\d % lower/)
      expect(judgeTwo({ values: quiet() }, { values: quiet() }, { pairing }).verdict).toBe(
        'unchanged',
      )
    }
  })

  test('times that are whole ticks of a clock are warned of, counts are not', () => {
    const random = seededRandom('ticks')
    const ticks = () => Array.from({ length: 15 }, () => 0.01 * (1 + Math.floor(3 * random())))
    const time = judgeTwo({ values: ticks() }, { values: ticks() }, { pairing: 'unpaired' })
    expect(time.warnings).toContainEqual(
      expect.objectContaining({
        code: 'coarse-values',
        message: expect.stringContaining('Only 3 distinct values among 30 samples'),
      }),
    )
    const of: Omit<RunOf, 'blocks'> = { metric: 'minorFaults', unit: 'count', pairing: 'unpaired' }
    expect(codes(judgeTwo({ values: ticks() }, { values: ticks() }, of))).not.toContain(
      'coarse-values',
    )
  })

  test('three unpaired samples against many are enough to flag, and are not called too few', () => {
    const random = seededRandom('few against many')
    const many = noisy(random, 200, 1)
    const few = judgeTwo({ values: [1.5, 1.51, 1.52] }, { values: many }, { pairing: 'unpaired' })
    expect([few.verdict, codes(few)]).toEqual(['improvement', []])
  })

  test('medians that say the opposite of the paired effect are warned of', () => {
    // Slower in every round but one, which happens to hold both medians.
    const baseline = [...new Array(10).fill(1), 1.5, ...new Array(10).fill(2)]
    const candidate = [...new Array(10).fill(1.05), 1.2, ...new Array(10).fill(2.1)]
    const comparison = judgeTwo({ values: baseline }, { values: candidate })
    expect(comparison.verdict).toBe('regression')
    expect(comparison.change).toBeCloseTo(-0.2, 10)
    expect(codes(comparison)).toContain('median-disagrees')
  })
})

describe('self-checks', () => {
  const block = (check: number, candidate: number): CellOf[] => [
    { label: 'old', values: ones() },
    { label: 'new', values: around(candidate, 0.0005) },
    { label: 'old', role: 'self-check', values: around(check, 0.0005) },
  ]

  test('three of them measure a noise floor, and an effect below it is not flagged', () => {
    const report = judgeRun(
      evidenceOf({
        blocks: [block(1.008, 1.02), block(1, 1.007), block(0.99, 1.015)],
        rules: { threshold: 0.005 },
      }),
    )
    expect(report.noiseFloor).toBeCloseTo(-Math.log(0.99), 3)
    expect([0, 1, 2].map((at) => candidateOf(report, at).verdict)).toEqual([
      'regression',
      'unchanged',
      'regression',
    ])
    expect(judgeRun(evidenceOf({ blocks: [block(1.008, 1.02)] })).noiseFloor).toBeNull()
  })

  test('a flagged one makes flags suspect, and is not counted as a result', () => {
    const report = judgeRun(evidenceOf({ blocks: [block(1.05, 1.1)] }))
    expect(report.warnings.map(({ code }) => code)).toContain('self-check-flagged')
    expect(codes(candidateOf(report))).toEqual(['suspect'])
    expect(report.counts).toMatchObject({ regression: 1, improvement: 0 })
  })
})

const values = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.double({ min: 0.9, max: 1.2, noNaN: true }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(0, -0, 1, 5e-324, 1e-300, 1e300, Number.MAX_VALUE, -3),
    },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  { maxLength: 25 },
)
const tame = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.double({ min: 0.9, max: 1.2, noNaN: true }) },
    { weight: 2, arbitrary: fc.constantFrom(1, 1.01, 1.1, 0.99) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  { minLength: 12, maxLength: 25 },
)
const blocksOf = (pairs: readonly (readonly [readonly Value[], readonly Value[]])[]): RunOf => ({
  blocks: pairs.map(([baseline, candidate]) => [
    { label: 'old', values: baseline },
    { label: 'new', values: candidate },
  ]),
})

describe('judgeRun', () => {
  test('never reports Infinity or NaN: every report is what its schema says and survives JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(values, values, values), { maxLength: 4 }), (rows) => {
        const evidence = evidenceOf({
          blocks: rows.map(([baseline, candidate, check]) => [
            { label: 'old', values: baseline },
            { label: 'new', values: candidate },
            { label: 'old', role: 'self-check', values: check },
          ]),
        })
        const report = judgeRun(evidence)
        expect(reportSchema.parse(report)).toEqual(report)
        expect(JSON.parse(JSON.stringify(report))).toEqual(report)
        expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/)
      }),
    )
  })

  test('does not depend on the order of blocks, cells and samples', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(values, values), { maxLength: 4 }),
        fc.string(),
        (pairs, seed) => {
          const evidence = evidenceOf(blocksOf(pairs))
          const random = seededRandom(seed)
          const mixed: Evidence = {
            ...evidence,
            blocks: shuffled(evidence.blocks, random).map((block) => ({
              ...block,
              cells: shuffled(block.cells, random).map((cell) => ({
                ...cell,
                samples: shuffled(cell.samples, random),
              })),
            })),
          }
          expect(judgeRun(mixed)).toEqual(judgeRun(evidence))
        },
      ),
    )
  })

  test('gives the same verdicts in any unit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(tame, tame), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(1000, 1e9, 1 / 60, 0.001),
        (pairs, factor) => {
          const scale = (side: readonly Value[]) =>
            side.map((v) => (v === null ? null : v * factor))
          const one = judgeRun(evidenceOf(blocksOf(pairs)))
          const other = judgeRun(evidenceOf(blocksOf(pairs.map(([a, b]) => [scale(a), scale(b)]))))
          expect(other.counts).toEqual(one.counts)
          one.blocks.forEach((_, at) => {
            expect(candidateOf(other, at).pValue).toBe(candidateOf(one, at).pValue)
            expect(candidateOf(other, at).effect ?? 0).toBeCloseTo(
              candidateOf(one, at).effect ?? 0,
              12,
            )
          })
        },
      ),
    )
  })

  test('does not depend on what runs, cells and labels are called', () => {
    const names = fc.tuple(fc.string(), fc.string()).filter(([one, other]) => one !== other)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(tame, tame), { maxLength: 3 }),
        names,
        (pairs, [old, fresh]) => {
          const named = pairs.map(([baseline, candidate]) => [
            { label: old, values: baseline },
            { label: fresh, values: candidate },
          ])
          const one = judgeRun(evidenceOf(blocksOf(pairs)))
          const other = judgeRun(evidenceOf({ blocks: named, runId: old }))
          expect(other.counts).toEqual(one.counts)
          one.blocks.forEach((_, at) => {
            expect(candidateOf(other, at).adjustedPValue).toBe(candidateOf(one, at).adjustedPValue)
          })
        },
      ),
    )
  })

  test('keeps all of that for unpaired evidence', () => {
    fc.assert(
      fc.property(values, values, fc.string(), (baseline, candidate, seed) => {
        const of = { ...blocksOf([[baseline, candidate]]), pairing: 'unpaired' } as const
        const report = judgeRun(evidenceOf(of))
        expect(reportSchema.parse(report)).toEqual(report)
        expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/)
        const mixed = [baseline, candidate].map((side) => shuffled(side, seededRandom(seed)))
        const again = judgeRun(
          evidenceOf({ ...blocksOf([[mixed[0] ?? [], mixed[1] ?? []]]), pairing: 'unpaired' }),
        )
        expect(candidateOf(again).pValue).toBe(candidateOf(report).pValue)
        const swapped = judgeRun(
          evidenceOf({ ...blocksOf([[candidate, baseline]]), pairing: 'unpaired' }),
        )
        expect((candidateOf(swapped).effect ?? 0) + (candidateOf(report).effect ?? 0)).toBe(0)
        expect(candidateOf(swapped).pValue).toBe(candidateOf(report).pValue)
      }),
    )
  })

  test('swapping the sides mirrors the verdict', () => {
    const mirror: Readonly<Record<string, string>> = {
      regression: 'improvement',
      improvement: 'regression',
    }
    fc.assert(
      fc.property(fc.array(fc.tuple(tame, tame), { minLength: 1, maxLength: 3 }), (pairs) => {
        const one = judgeRun(evidenceOf(blocksOf(pairs)))
        const other = judgeRun(evidenceOf(blocksOf(pairs.map(([a, b]) => [b, a]))))
        one.blocks.forEach((_, at) => {
          const [left, right] = [candidateOf(one, at), candidateOf(other, at)]
          expect(right.verdict).toBe(mirror[left.verdict] ?? left.verdict)
          expect(right.pValue).toBe(left.pValue)
          expect((left.effect ?? 0) + (right.effect ?? 0)).toBe(0)
          expect(right.roundsNeeded).toBe(left.roundsNeeded)
        })
      }),
    )
  })

  test('raises at most the nominal share of false alarms when nothing changed', () => {
    const random = seededRandom('A/A calibration')
    const [campaigns, rows, rounds] = [150, 12, 14]
    let alarmed = 0
    let small = 0
    for (let campaign = 0; campaign < campaigns; campaign += 1) {
      const blocks = Array.from({ length: rows }, () => [
        { label: 'old', values: noisy(random, rounds, 1) },
        { label: 'new', values: noisy(random, rounds, 1) },
      ])
      // Threshold 0 leaves the statistics alone to prevent alarms.
      const report = judgeRun(evidenceOf({ blocks, rules: { threshold: 0 } }))
      if (report.counts.regression + report.counts.improvement > 0) alarmed += 1
      small += report.blocks.filter((_, at) => (candidateOf(report, at).pValue ?? 1) <= 0.05).length
    }
    // Nominal plus two standard deviations of a simulation of this size.
    expect(alarmed / campaigns).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / campaigns))
    expect(small / (campaigns * rows)).toBeLessThanOrEqual(
      0.05 + 2 * Math.sqrt((0.05 * 0.95) / (campaigns * rows)),
    )
    expect(small / (campaigns * rows)).toBeGreaterThan(0.02)
  })

  test('finds a true change of three percent among twelve rows in most campaigns', () => {
    const random = seededRandom('power')
    let found = 0
    for (let campaign = 0; campaign < 40; campaign += 1) {
      const blocks = Array.from({ length: 12 }, (_, row) => [
        { label: 'old', values: noisy(random, 20, 1) },
        { label: 'new', values: noisy(random, 20, row === 0 ? 1.03 : 1) },
      ])
      if (candidateOf(judgeRun(evidenceOf({ blocks }))).verdict === 'regression') found += 1
    }
    expect(found).toBeGreaterThan(28)
  })
})
