/** Results of other tools become runs: stored, judged and printed like any other. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AssayError, planSchema, type Report } from '@assay/model'
import {
  compareStoredRuns,
  type ImportFile,
  type ImportRequest,
  importRemarks,
  importRun,
  judgeImport,
  judgeRun,
  printRun,
  readImport,
  reproduceCell,
  rerunRun,
} from '@assay/orchestrator'
import { openEmbeddedCourier } from '@assay/queue'
import { renderReport } from '@assay/report'
import { openStore, type Store } from '@assay/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blocksOf, printed } from '../report/printed-comparisons.ts'
import { reportOf } from '../report/report-of.ts'

const fixture = (name: string, label = name): ImportFile => ({
  name: label,
  text: readFileSync(new URL(`../../fixtures/import/${name}`, import.meta.url), 'utf8'),
})
const requestOf = (...files: ImportFile[]): ImportRequest => ({ files, kind: null, name: null })
const textOf = (text: string): ImportRequest => requestOf({ name: 'message.txt', text })
const twoPythons = requestOf(
  fixture('pyperf-mult_list_py36.json', 'py36'),
  fixture('pyperf-mult_list_py37.json', 'py37'),
)
const judge = (request: ImportRequest): Report => judgeImport(request, () => 7)
const codeOf = (request: ImportRequest): unknown => {
  try {
    return readImport(request).yaml
  } catch (error) {
    return error instanceof AssayError ? `${error.code}: ${error.message}` : error
  }
}
const verdictsOf = ({ blocks }: Report): unknown[] =>
  blocks.flatMap(({ rows }) => rows.flatMap(({ comparison }) => comparison?.verdict ?? []))

let folder = ''
let store: Store
let ids = 0
const newId = (): string => {
  ids += 1
  return `id-${ids}`
}
const site = () => ({ store, now: () => 7, newId })
const catalogue = { benchmarks: [], engines: [], presets: [], formats: [], sources: [] }
const rerunSite = () => ({ ...site(), catalogue, courier: openEmbeddedCourier({ store }) })
const reproductionSite = () => ({
  ...{ store, engines: [], datasets: unasked, path: '', signal: new AbortController().signal },
})
const unasked = (): Promise<string> => Promise.reject(new Error('no dataset is asked for'))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-'))
  store = openStore({ path: join(folder, 'assay.db'), access: 'write', now: () => 7 })
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

describe('an export of hyperfine', () => {
  test('compares its commands, every time a sample, and finds what is twice as slow', () => {
    const { plan, rounds } = readImport(requestOf(fixture('hyperfine-two-commands.json')))
    expect(planSchema.parse(plan)).toEqual(plan)
    expect(plan).toMatchObject({ pairing: 'unpaired', comparedFactor: 'command' })
    expect(plan.blocks.map(({ cells }) => cells.map(({ label }) => label))).toEqual([
      ['sha1sum big-file', 'sha256sum big-file'],
    ])
    expect(rounds.get('b1')?.rounds).toHaveLength(25)
    const report = judge(requestOf(fixture('hyperfine-two-commands.json')))
    expect(verdictsOf(report)).toEqual(['regression'])
    expect(report.pairing).toBe('unpaired')
    expect(report.blocks[0]?.rows[0]?.summary).toMatchObject({ count: 25, median: 0.109298817 })
  })

  test('keeps runs that ended with an exit code as failed, and judges the others', () => {
    const request = requestOf(fixture('hyperfine-some-failed.json'))
    const samples = readImport(request)
      .rounds.get('b1')
      ?.rounds.flatMap((round) => round.samples)
    expect(samples?.filter(({ outcome }) => outcome === 'failed')).toHaveLength(5)
    const [baseline, candidate] = judge(request).blocks[0]?.rows ?? []
    expect(baseline?.summary?.count).toBe(5)
    expect(candidate?.summary?.count).toBe(10)
  })

  test('of two files compares each command with itself', () => {
    const request = requestOf(
      fixture('hyperfine-two-commands.json', 'before'),
      fixture('hyperfine-two-commands.json', 'after'),
    )
    const report = judge(request)
    expect(report.blocks.map(({ headings }) => headings['benchmark.name'])).toEqual([
      'sha1sum big-file',
      'sha256sum big-file',
    ])
    expect(report.blocks[0]?.rows.map(({ label }) => label)).toEqual(['before', 'after'])
    expect(report.counts.regression).toBe(0)
    expect(report.counts.improvement).toBe(0)
  })

  test('that is incomplete is refused with the place of the mistake', () => {
    const results = (result: object): ImportRequest =>
      textOf(JSON.stringify({ results: [{ command: 'true', ...result }] }))
    expect(codeOf(results({ times: ['fast'] }))).toContain('message.txt: results.0.times.0')
    expect(codeOf(results({ times: [-1] }))).toContain('import-unreadable')
    expect(codeOf(results({ times: [1, 2], exit_codes: [0] }))).toContain('2 times and 1 exit')
    expect(codeOf(textOf('{"results": ['))).toContain('not JSON')
  })
})

describe('a result of pyperf', () => {
  test('compares files by benchmark, takes a process for a sample, keeps warmups apart', () => {
    const { plan, rounds } = readImport(twoPythons)
    expect(plan.blocks.map(({ headings }) => headings['benchmark.name'])).toEqual([
      '[1]*1000',
      '[1,2]*1000',
      '[1,2,3]*1000',
    ])
    const first = rounds.get('b1')?.rounds ?? []
    // 20 processes of 3 values each.
    expect(first.filter(({ warmup }) => !warmup)).toHaveLength(20)
    expect(first.filter(({ warmup }) => warmup)).toHaveLength(30)
    const loops = first.flatMap((round) => (round.warmup ? [] : round.samples))
    expect(new Set(loops.map((sample) => sample.loops))).toEqual(new Set([64 * 1024]))
    const verdicts = verdictsOf(judge(twoPythons))
    expect(verdicts).toHaveLength(3)
    expect(verdicts.slice(1)).toEqual(['regression', 'regression'])
  })

  test('is called by the name of its file, and by the whole path only where names are equal', () => {
    const labelsOf = (...names: readonly string[]): unknown[] =>
      readImport(
        requestOf(...names.map((name) => fixture('pyperf-telco.json', name))),
      ).plan.blocks.flatMap(({ cells }) => cells.map(({ label }) => label))
    expect(labelsOf('/a/b/old.json', 'c/new.json')).toEqual(['old', 'new'])
    expect(labelsOf('a/py.json', 'b/py.json')).toEqual(['a/py.json', 'b/py.json'])
  })

  test('of another host is not comparable, and says in what', () => {
    const request = requestOf(fixture('pyperf-telco.json', 'here'), {
      name: 'there',
      text: fixture('pyperf-telco.json').text.replace('bench-host', 'elsewhere'),
    })
    const [row] = judge(request).blocks[0]?.rows.slice(1) ?? []
    expect(row?.comparison?.verdict).toBe('not-comparable')
    expect(row?.comparison?.reason).toContain('hostname')
  })

  test('in bytes is refused', () => {
    const text = fixture('pyperf-telco.json').text.replace(
      '"loops": 8',
      '"loops": 8, "unit": "byte"',
    )
    expect(codeOf(textOf(text))).toContain('telco is in byte')
  })
})

describe('a printed table', () => {
  const table = renderReport(reportOf(blocksOf(printed)), 'full', { options: { verdicts: false } })

  test('is printed the same again, each row inconclusive for it is one value', () => {
    const report = judge(textOf(table))
    expect(report.blocks.length).toBeGreaterThan(20)
    expect(new Set(verdictsOf(report))).toEqual(new Set(['inconclusive']))
    expect(renderReport(report, 'full', { options: { verdicts: false } })).toBe(table)
  })

  test('keeps rows that have no value with what stands in its place', () => {
    const text =
      '# benchmark.name = a\nold: 1.000000\nnew: failed (exit 1)\nodd: unsupported (no)\nlate: not measured\n'
    const report = judge(textOf(text))
    expect(verdictsOf(report).slice(0, 2)).toEqual(['failed', 'unsupported'])
    const printedAgain = renderReport(report, 'full', { options: { verdicts: false } })
    expect(printedAgain).toContain(
      'new: failed (exit 1)\nodd: unsupported (no)\nlate: not measured',
    )
  })

  test('with a garbled number is refused with the number of its line', () => {
    const text = '# benchmark.name = a\nold: 1.000000\nnew: 0.2659124 (+11.71%, +0.0.3)\n'
    expect(codeOf(textOf(text))).toContain('report-text-garbled: message.txt:3')
  })

  test('whose changes its own values contradict is imported with a remark for each line', () => {
    const text = [
      '# benchmark.name = a',
      'old: 0.200000',
      'new: 0.300000 (+10.00%, +0.10)',
      'odd: 0.300000 (+50.00%, -0.10)',
      'fine: 0.265087 (+32.54%, +0.07)',
      '',
    ].join('\n')
    expect(importRemarks(textOf(text))).toEqual([
      'message.txt:3: new has a printed change of +10.00%, where the values differ by +50.00%',
      'message.txt:4: odd has a printed difference of -0.10, where the values differ by +0.10',
    ])
    expect(importRemarks(textOf(table))).toEqual([])
  })

  test('of another metric, or without a table, is refused', () => {
    expect(codeOf(textOf('; metric: peakRssBytes in bytes\n# a = b\nold: 1.0\n'))).toContain(
      'bytes',
    )
    expect(codeOf(textOf('prose only'))).toContain('import-empty')
    expect(codeOf({ ...textOf('[1]'), kind: null })).toContain('import-kind-unknown')
    expect(codeOf({ ...textOf('x'), kind: 'csv' })).toContain('hyperfine, pyperf, text')
  })
})

describe('a file of another kind than was named', () => {
  test.each([
    ['hyperfine', fixture('pyperf-telco.json').text, 'looks like results of pyperf, not an export'],
    ['pyperf', fixture('hyperfine-some-failed.json').text, 'assay import hyperfine message.txt'],
    ['hyperfine', '# benchmark.name = a\nold: 1.0\n', 'looks like printed comparisons'],
    ['text', '[1, 2]', 'this is not printed comparisons, nor anything else'],
    ['pyperf', '{"a": 1}', 'this is not results of pyperf, nor anything else'],
    ['text', ' \n', 'no measured value was found'],
  ])('%s: is said to be what it looks like', (kind, text, said) => {
    expect(codeOf({ ...textOf(text), kind })).toContain(said)
  })
})

describe('what the files do not tell', () => {
  test('is no metric of the run, and is empty where every sample is printed', () => {
    const { id } = importRun(requestOf(fixture('hyperfine-some-failed.json')), site())
    for (const metric of ['userSeconds', 'minorFaults', 'cpuSeconds']) {
      expect(() => printRun(id, store, { format: 'full', metric })).toThrow(
        'wallSeconds, peakRssBytes',
      )
    }
    const [head = '', first = ''] = printRun(id, store, { format: 'csv' }).text.split('\r\n')
    const fieldOf = (name: string) => first.split(',')[head.split(',').indexOf(name)]
    expect([fieldOf('userSeconds'), fieldOf('minorFaults')]).toEqual(['', ''])
    expect(Number(fieldOf('wallSeconds'))).toBeGreaterThan(0)
  })

  test('rows of one name are told apart', () => {
    const text = JSON.stringify({
      results: [1, 1.05].map((seconds) => ({ command: 'a', times: [seconds, seconds, seconds] })),
    })
    const { plan } = readImport({ ...textOf(text), kind: 'hyperfine' })
    expect(plan.blocks.flatMap(({ cells }) => cells.map(({ label }) => label))).toEqual([
      'a',
      'a (2)',
    ])
  })
})

describe('an imported run', () => {
  test.each([
    ['hyperfine', requestOf(fixture('hyperfine-some-failed.json'))],
    ['pyperf', twoPythons],
    [
      'text',
      textOf('# benchmark.name = a\nold: 1.000000\nnew: unsupported (no)\nlast: 2.000000\n'),
    ],
  ])('of %s is complete in the store and gives the report of the dry run', (_, request) => {
    const run = importRun({ ...request, name: 'mine' }, site())
    expect(run).toMatchObject({ status: 'complete', name: 'mine', plan: { pairing: 'unpaired' } })
    const { run: _stored, ...stored } = judgeRun(run.id, store)
    const { run: _dry, ...dry } = judge(request)
    expect(stored).toEqual(dry)
    expect(store.campaigns.get(run.campaignDigest)?.yaml).toContain('sha256: ')
  })

  test('is printed in every format, with its samples where a format has them', () => {
    const { id } = importRun(requestOf(fixture('hyperfine-two-commands.json')), site())
    expect(printRun(id, store, { format: 'full' }).text).toContain('sha1sum big-file: 0.109299')
    expect(printRun(id, store, { format: 'csv' }).text.trimEnd().split('\r\n')).toHaveLength(51)
    expect(printRun(id, store, { format: 'html' }).text).toContain('sha256sum big-file')
  })

  test('says that the sides were not interleaved, and how many samples are not judged', () => {
    const report = judge(requestOf(fixture('hyperfine-some-failed.json')))
    expect(report.warnings.map(({ code }) => code)).toEqual(['not-interleaved'])
    const [row] = report.blocks.flatMap(({ rows }) => rows.slice(1))
    expect(row?.comparison?.warnings.map(({ code }) => code)).toEqual(['missing-samples'])
    expect(row?.comparison?.warnings[0]?.message).toMatch(
      /^Only good samples are judged: 5\/10 of /,
    )
    const whole = judge(requestOf(fixture('hyperfine-two-commands.json')))
    expect(whole.blocks[0]?.rows[1]?.comparison?.warnings).toEqual([])
  })

  test('cannot be measured again or reproduced, and says why', async () => {
    const { id } = importRun(requestOf(fixture('hyperfine-two-commands.json')), site())
    const again = () => rerunRun({ runId: id, failedOnly: false, seed: 's' }, rerunSite())
    await expect(again()).rejects.toMatchObject({ code: 'run-imported' })
    const line = reproduceCell({ run: id, cell: 'b1.c1' }, reproductionSite())
    await expect(line).rejects.toMatchObject({ code: 'run-imported' })
  })

  test('is asked for a metric or compared: a typo and the same run twice are refused', () => {
    const { id } = importRun(requestOf(fixture('hyperfine-two-commands.json')), site())
    const other = importRun(requestOf(fixture('hyperfine-some-failed.json')), site()).id
    const print = (metric: string) => printRun(id, store, { format: 'full', metric }).text
    expect(() => print('wallSecond')).toThrow(/no sample has a metric "wallSecond"; there are wall/)
    expect(print('peakRssBytes')).toContain('; metric: peakRssBytes in bytes')
    const compare = (baseline: string, candidate: string, metric: string) =>
      compareStoredRuns({ baseline, candidate, metric }, store)
    expect(() => compare(id, 'latest', 'nope')).toThrow('no sample has a metric "nope"')
    expect(() => compare(other, other, 'wallSeconds')).toThrow('both sides are run')
    expect(compare(id, other, 'wallSeconds').comparedFactor).toBe('run')
  })

  test('that cannot be read leaves nothing in the store', () => {
    expect(() => importRun(textOf('prose only'), site())).toThrow('no measured value')
    expect(store.runs.list({ limit: 1, cursor: null }).runs).toEqual([])
    expect(store.campaigns.list()).toEqual([])
  })
})
