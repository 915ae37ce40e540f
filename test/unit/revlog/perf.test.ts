import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createRepository,
  measureRuns,
  type PerfClock,
  perfSettings,
  RevlogError,
  runCli,
  timingJson,
  timingText,
} from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A clock that a step moves on. */
function stepClock(durations: readonly number[]): { clock: PerfClock; step: () => void } {
  let wall = 0
  let run = 0
  return {
    clock: {
      wallSeconds: () => wall,
      cpuSeconds: () => ({ user: wall / 2, system: wall / 4 }),
    },
    step: () => {
      wall += durations[run++ % durations.length] ?? 0
    },
  }
}

describe('runs', () => {
  test('go on until the seconds and the runs of one limit are reached', () => {
    const limits = [
      { seconds: 3, runs: 10 },
      { seconds: 8, runs: 3 },
    ]
    const runsOf = (duration: number): number => {
      const { clock, step } = stepClock([duration])
      return measureRuns(step, { clock, limits, preRuns: 0, collectGarbage: () => undefined })
        .length
    }
    expect(runsOf(0.25)).toBe(12)
    expect(runsOf(0.5)).toBe(10)
    expect(runsOf(2)).toBe(4)
    expect(runsOf(100)).toBe(3)
  })

  test('are sorted, garbage is collected before each, and those before do not count', () => {
    const { clock, step } = stepClock([9, 2, 3, 1])
    let collected = 0
    const limits = [{ seconds: 0, runs: 3 }]
    const collectGarbage = (): void => {
      collected++
    }
    const timings = measureRuns(step, { clock, limits, preRuns: 1, collectGarbage })
    expect(timings.map(({ wallSeconds }) => wallSeconds)).toEqual([1, 2, 3])
    expect(timings[0]).toMatchObject({ userSeconds: 0.5, systemSeconds: 0.25 })
    expect(collected).toBe(4)
  })
})

describe('times are printed as perf prints them', () => {
  const timing = (wallSeconds: number) => ({ wallSeconds, userSeconds: 0.34, systemSeconds: 0.01 })
  const step = { title: 'read', timings: [timing(0.3466031), timing(0.5), timing(1)] }

  test('in text', () => {
    expect(timingText(step, false)).toBe(
      '! read\n! wall 0.346603 comb 0.350000 user 0.340000 sys 0.010000 (best of 3)\n',
    )
    expect(timingText({ ...step, title: undefined }, true).match(/wall \S+|\(.*\)/g)).toEqual([
      'wall 0.346603',
      '(best of 3)',
      'wall 1.000000',
      '(max of 3)',
      'wall 0.615534',
      '(avg of 3)',
      'wall 0.500000',
      '(median of 3)',
    ])
  })

  test('in JSON, with sorted keys and the numbers of Python', () => {
    const zero = { wallSeconds: 5e-6, userSeconds: 0, systemSeconds: 0 }
    expect(timingJson({ title: 'compress w/ zstd', timings: [zero] }, false)).toBe(
      '[\n {\n  "comb": 0.0,\n  "count": 1,\n  "sys": 0.0,\n  "title": "compress w/ zstd",\n' +
        '  "user": 0.0,\n  "wall": 5e-06\n }\n]\n',
    )
    expect(JSON.parse(timingJson(step, true))).toEqual([
      expect.objectContaining({ 'median.wall': 0.5, 'max.wall': 1, wall: 0.3466031, count: 3 }),
    ])
  })
})

describe('settings', () => {
  const settings = (config: Record<string, string>, warnings: string[] = []) =>
    perfSettings(new Map(Object.entries(config)), (text) => warnings.push(text))

  test('are those of perf when nothing is said', () => {
    expect(settings({})).toEqual({
      presleepSeconds: 1,
      stub: false,
      preRuns: 0,
      limits: [
        { seconds: 3, runs: 100 },
        { seconds: 10, runs: 3 },
      ],
      allTiming: false,
    })
  })

  test('limits that are malformed are said and skipped', () => {
    const warnings: string[] = []
    expect(settings({ 'perf.run-limits': 'foo, 0.5-2, x-y' }, warnings).limits).toEqual([
      { seconds: 0.5, runs: 2 },
    ])
    expect(warnings).toEqual([
      'malformatted run limit entry, missing "-": foo\n',
      'malformatted run limit entry: x-y\n',
    ])
  })

  test('a word that means neither yes nor no is refused', () => {
    expect(() => settings({ 'perf.stub': 'perhaps' })).toThrow(RevlogError)
    expect(settings({ 'perf.stub': 'ON', 'perf.all-timing': '1' })).toMatchObject({
      stub: true,
      allTiming: true,
    })
  })
})

const digest = (text: string): string => createHash('sha512').update(text).digest('hex')

describe('perf commands', () => {
  let scratch = ''
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'revlog-perf-'))
    const writer = createRepository(join(scratch, 'repo'))
    for (let rev = 0; rev < 300; rev++) {
      const content = Buffer.from(`${rev}\n`.repeat(40))
      writer.commit({
        p1: rev - 1,
        p2: -1,
        user: 'x',
        time: rev,
        timezoneSeconds: 0,
        // Hardly compressible, so that the index and the data lie in two files.
        description: Array.from({ length: 8 }, (_, at) => digest(`${rev} ${at}`)).join('\n'),
        files: [{ kind: 'write', path: `file${rev % 50}`, content }],
      })
    }
    writer.close()
  })
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  /** The command's status and its lines on standard error; standard output has to stay empty. */
  function perf(...args: string[]) {
    const err: string[] = []
    const config = ['perf.presleep=0', 'perf.run-limits=0-1'].flatMap((item) => ['--config', item])
    const status = runCli([...config, ...args], {
      cwd: join(scratch, 'repo'),
      env: {},
      writeOut: () => expect.unreachable(),
      writeError: (text) => err.push(text),
      clockSeconds: () => performance.now() / 1000,
    })
    return { status, lines: err.join('').split('\n').slice(0, -1) }
  }

  const titles = (lines: readonly string[]) =>
    lines.filter((line) => !/^! wall \d/.test(line)).map((line) => line.replace(/^! /, ''))

  test('revlogchunks has the steps of hg, in its order', () => {
    for (const args of [['-c'], ['-m'], ['file7']]) {
      const { status, lines } = perf('perf::revlogchunks', ...args)
      expect([status, titles(lines)]).toEqual([
        0,
        [
          'read',
          'read w/ reused fd',
          'read batch',
          'read batch w/ reused fd',
          'chunk',
          'chunk batch',
          'compress w/ none',
          'compress w/ zlib',
          'compress w/ zstd',
        ],
      ])
    }
    expect(titles(perf('perfrevlogchunks', '-c', '-e', 'zlib', '-s', '299').lines)).toContain(
      'compress w/ zlib',
    )
  })

  test.each([
    ['perf::revlogindex', ['-c'], 18],
    ['perf::revlogrevision', ['-m', '299'], 8],
    ['perf::revlogrevision', ['-c', '7', '--cache'], 8],
    ['perf::revlogrevisions', ['-m', '-d', '7', '--reverse'], 0],
    ['perf::revlogwrite', ['-c', '-s', '290', '--count', '2'], 13],
    ['perf::revlogwrite', ['-c', '-s', '-4', '--count', '1', '--details'], 4],
    ['perf::index', [], 0],
    ['perf::index', ['--no-lookup'], 0],
    ['perf::nodemap', ['--rev', '-10:'], 0],
  ])('%s %j measures its steps', (name, args, count) => {
    const { status, lines } = perf(name, ...args)
    expect([status, titles(lines).length, lines.length - count]).toEqual([0, count, count || 1])
  })

  test('each access mode can be measured', () => {
    for (const mode of ['no-mmap', 'mmap-no-populate', 'mmap-populate', 'mmap-populate-thread']) {
      const how = ['--mode', mode, '--mmap-threshold', '1']
      expect(perf(...how, 'perf::revlogindex', '-c').lines).toHaveLength(36)
    }
  })

  test('with --debug each step is a line of JSON too', () => {
    const { lines } = perf('perf::revlogchunks', '-c', '--debug')
    const records = lines
      .filter((line) => line.startsWith('debug: '))
      .map((line) => JSON.parse(line.slice('debug: '.length)))
      .filter(({ kind }) => kind === 'perf')
    expect(records).toHaveLength(9)
    expect(records[4]).toMatchObject({ title: 'chunk', runs: 1, wallSeconds: expect.any(Number) })
  })

  test('a stub runs every step and prints no times', () => {
    const stub = ['--config', 'perf.stub=yes']
    expect(perf(...stub, 'perf::revlogchunks', '-c').lines).toEqual([])
    expect(perf(...stub, 'perf::index', '-T', 'json').lines).toEqual(['[', ']'])
  })

  test('what makes no sense is refused', () => {
    for (const args of [
      ['perf::revlogchunks'],
      ['perf::revlogchunks', '-c', '-e', 'lzma'],
      ['perf::revlogchunks', '-c', '-s', '300'],
      ['perf::nodemap'],
      ['perf::revlogwrite', '-c', '--source', 'foo'],
    ]) {
      expect([args, perf(...args).status]).toEqual([args, 64])
    }
    expect(perf('perf::index', '-T', '{wall}').status).toBe(2)
    expect(perf('perf::revlogchunks', 'no-such-file').status).toBe(255)
    expect(perf('perf::revlogrevision', '-c', '300').status).toBe(255)
  })
})
