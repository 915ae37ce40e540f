import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import type { Report } from '@assay/model'
import { htmlFormat, htmlPolicy } from '@assay/report'
import { judgeRun } from '@assay/stats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aConditions } from '../../support/builders.ts'
import { frozenReport, measuredReport, storedSamples } from './measured-report.ts'
import { constant, evidenceOfBlocks, reportOf } from './report-of.ts'

const { report, details } = measuredReport()
const page = htmlFormat.render(report, {}, details)

const elementOf = (text: string, name: string): string =>
  new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1] ?? ''

/** The page without its style and script: everything that a report can have a say in. */
const bodyOf = (text: string): string =>
  text.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<script>[\s\S]*?<\/script>/, '')

const tagsOf = (text: string): ReadonlySet<string> => new Set(bodyOf(text).match(/<[^>\s]*/g) ?? [])

const attributesOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...bodyOf(text).matchAll(/<[a-z]\w*((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/gi)].flatMap(
      ([, all = '']) => [...all.matchAll(/\s([\w-]+)(?:="[^"]*")?/g)].map(([, name = '']) => name),
    ),
  )

describe('the page', () => {
  test('needs nothing from anywhere, and runs nothing but its own style and script', () => {
    expect(page).not.toMatch(/https?:|@import|url\(|\ssrc=|<link|<img|<iframe/)
    expect([...attributesOf(page)].filter((name) => /^on|^style$/.test(name))).toEqual([])
    for (const [name, hash] of [
      ['style', htmlPolicy.styleHash],
      ['script', htmlPolicy.scriptHash],
    ] as const) {
      const digest = createHash('sha256').update(elementOf(page, name)).digest('base64')
      expect(hash).toBe(`'sha256-${digest}'`)
      expect(page.split(`<${name}`)).toHaveLength(2)
    }
    expect(page).toContain(htmlPolicy.contentSecurityPolicy.replaceAll("'", '&#39;'))
    expect(() => new Script(elementOf(page, 'script'))).not.toThrow()
  })

  test('says the verdict first, and shows every comparison, worst group first', () => {
    const compared = report.blocks
      .flatMap(({ rows }) => rows)
      .filter(({ role }) => role === 'candidate')
    const shown = [...page.matchAll(/<details class="row"[^>]* data-v="([\w-]+)"/g)].map(
      ([, verdict]) => verdict,
    )
    expect(shown).toHaveLength(compared.length)
    expect(shown[0]).toBe('regression')
    expect([...shown].sort()).toEqual(
      compared.map(({ comparison }) => String(comparison?.verdict)).sort(),
    )
    expect(page.indexOf(`${report.counts.regression} regressions`)).toBeLessThan(
      page.indexOf('<details'),
    )
    for (const id of [...page.matchAll(/href="#(r-[\w-]+)"/g)].map(([, one]) => one)) {
      expect(page).toContain(`id="${id}"`)
    }
  })

  test('carries the exact value of every figure', () => {
    const values = new Set([...page.matchAll(/<data value="([^"]+)"/g)].map(([, value]) => value))
    for (const { rows } of report.blocks) {
      for (const { role, summary, comparison } of rows) {
        if (role === 'self-check') continue
        if (summary !== null && rows.some((row) => row.comparison !== null)) {
          for (const value of [summary.median, summary.mean, summary.best, summary.mad]) {
            expect(values).toContain(String(value))
          }
        }
        for (const value of [comparison?.change, comparison?.difference, comparison?.pValue]) {
          if (typeof value === 'number') expect(values).toContain(String(value))
        }
      }
    }
  })

  test('draws a dot for every sample, and a cross for every one that is not good', () => {
    const row = page.slice(page.indexOf('id="r-2-2"'))
    const panel = row.slice(0, row.indexOf('<details class="row"'))
    const dots = (name: string): number =>
      new RegExp(`class="${name}" d="([^"]*)"`).exec(panel)?.[1]?.match(/h0/g)?.length ?? 0
    expect([dots('da'), dots('dc'), dots('dd')]).toEqual([20, 19, 19])
    expect(panel.match(/<text class="bad m"/g)).toHaveLength(1)
  })

  test('has no texts over each other or over dots, however close the values are', () => {
    const close = Array.from({ length: 20 }, (_, at) => 1.398 + (at % 7) * 1e-6)
    const evidence = evidenceOfBlocks(
      [{ headings: {}, rows: ['old', 'new'].map((label) => ({ label, values: close })) }],
      { rules: { threshold: 0.0005, tolerance: 0.0008 } },
    )
    const text = htmlFormat.render(judgeRun(evidence), {}, { samples: storedSamples(evidence) })
    const axis = /<svg class="ax".*?<\/svg>/.exec(text)?.[0] ?? ''
    const ticks = [...axis.matchAll(/x="([\d.]+)%" y="26" class="m">([^<]+)/g)]
    expect(ticks.length).toBeGreaterThan(1)
    // In the narrowest column, 140 px, a character takes some 6.
    const spans = ticks.map(([, at, tick = '']) => ({
      middle: Number(at) * 1.4,
      half: tick.length * 3,
    }))
    spans.sort((left, right) => left.middle - right.middle)
    spans.slice(1).forEach(({ middle, half }, at) => {
      const before = spans[at] ?? { middle: 0, half: 0 }
      expect(middle - half).toBeGreaterThan(before.middle + before.half)
    })
    const chart = text.slice(text.indexOf('samples in run order'))
    const longest = Math.max(
      ...[...chart.matchAll(/<text x="0" y="[\d.]+">([^<]+)/g)].map(
        ([, value = '']) => value.length,
      ),
    )
    expect(longest).toBeGreaterThan(7)
    // Of 1000; the chart is 510 px wide.
    expect(Number(/class="dc" d="M(\d+)/.exec(chart)?.[1])).toBeGreaterThan(longest * 14)
  })

  test('says what the host was like, round by round, where it was recorded', () => {
    const conditions = [0.1, 0.3, 0.2].map((load, at) => ({
      blockId: report.blocks[0]?.blockId ?? '',
      round: at + 1,
      conditions: { ...aConditions(), load, stealSeconds: at / 4 },
    }))
    const told = htmlFormat.render(report, {}, { ...details, conditions })
    expect(told).toMatch(/<dt>load<\/dt><dd><data value="0.2">0\.20<\/data>, 0\.10 to 0\.30<svg/)
    expect(told).toContain('d="M0 13L50 1L100 7"')
    expect(told).toContain('0.50 s</data> from the first round to the last')
    expect(page).not.toContain('The host meanwhile')
  })

  test('says what both sides used beside the judged metric', () => {
    expect(page).toMatch(/processor time \(user and system\)<\/th><td><data value="0\.06/)
    expect(page).toMatch(/peak memory<\/th>(<td><data value="1000000">[^<]*<\/data><\/td>){2}/)
  })

  test('says what it does not draw when there are very many samples', () => {
    const many = measuredReport(1000)
    const large = htmlFormat.render(many.report, {}, many.details)
    expect(large).toMatch(/2[0-4]\d of 2000 samples are drawn/)
    expect(large.length).toBeLessThan(page.length * 3)
  })

  test('without samples shows the report and says what is missing', () => {
    const bare = htmlFormat.render(report)
    expect(bare).toContain('No samples were handed to this page')
    expect(bare.match(/<details class="row"/g)).toHaveLength(16)
  })

  test('of a run that compares nothing, or of nothing at all, is a page that says so', () => {
    const alone = reportOf([{ headings: { a: 'b' }, rows: [{ label: 'x', values: constant(1) }] }])
    expect(htmlFormat.render(alone)).toContain('Nothing was compared')
    expect(htmlFormat.render(alone)).toContain('a = b: x')
    expect(htmlFormat.render(reportOf([]))).toContain('Nothing was compared')
  })

  test('of unpaired samples draws no pairs', () => {
    const unpaired: Report = { ...report, pairing: 'unpaired' }
    const text = htmlFormat.render(unpaired, {}, details)
    expect(text).not.toContain('Difference of each pair')
    expect(text).toContain('judged as two independent groups')
  })

  test('is never changed by what a label, a level, a reason or an error says', () => {
    const allowed = { tags: tagsOf(page), attributes: attributesOf(page) }
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"><script>alert(1)</script>', "' onload=x ", '</pre><img src=x>', '\0&lt;'),
    )
    fc.assert(
      fc.property(hostile, hostile, hostile, (label, level, reason) => {
        const evidence = evidenceOfBlocks([
          {
            headings: { 'benchmark.name': level, 'data-env-vars.name': reason, [label]: level },
            rows: [
              { label, values: [1, null, 1.1, 1] },
              { label: reason, values: [2, 2.1, null, 2] },
              { label: level, values: [], status: 'failed', reason },
            ],
          },
        ])
        const samples = storedSamples(evidence).map((one) => ({ ...one, stderr: reason }))
        const text = htmlFormat.render(judgeRun(evidence), {}, { samples })
        expect(
          [...tagsOf(text)].filter((tag) => !allowed.tags.has(tag) && tag !== '<text'),
        ).toEqual([])
        expect([...attributesOf(text)].filter((name) => !allowed.attributes.has(name))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('of one report is always the same text', async () => {
    const frozen = frozenReport()
    const few: Report = { ...frozen, blocks: frozen.blocks.slice(0, 4) }
    const text = htmlFormat.render(few, {}, details)
    await expect(bodyOf(text)).toMatchFileSnapshot('../../golden/reports/measured.html')
  })
})
