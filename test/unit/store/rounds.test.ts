import type { StoredSample } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { blockOf, fault, hostOf, openWithRun, put, roundOf, sampleOf, take } from './example-run.ts'

const cells = ['b1.c1', 'b1.c2']

describe('saving a round', () => {
  it('is done once; the same again changes nothing, another is refused', () => {
    const { store } = openWithRun()
    take(store, 't1')
    const round = roundOf(1, cells)
    expect(put(store, 't1', round)).toBe('created')
    expect(put(store, 't1', round)).toBe('same')
    const other = roundOf(1, ['b1.c2', 'b1.c1'])
    expect(() => put(store, 't1', other)).toThrow(fault('round-conflict', 'round 1 of block b1'))
    expect(store.samples.ofRun('run-1', { limit: 100, cursor: null }).samples).toHaveLength(2)
  })

  it('sets the run and the cells of its block running', () => {
    const { store } = openWithRun([blockOf('b1', [null, null]), blockOf('b2', [null])])
    take(store, 't1')
    expect(store.runs.find('run-1').status).toBe('planned')
    put(store, 't1', roundOf(1, cells, { warmup: true }))
    expect(store.runs.find('run-1').status).toBe('running')
    const statuses = store.cells.ofRun('run-1').map((cell) => cell.status)
    expect(statuses).toEqual(['running', 'running', 'queued'])
  })

  it('takes cells of its block only, each once, each in its place, or nothing at all', () => {
    const { store } = openWithRun([blockOf('b1', [null, null]), blockOf('b2', [null])])
    take(store, 't1')
    const twice = { samples: [sampleOf('b1.c1', 0), sampleOf('b1.c1', 1)] }
    const crowded = { samples: [sampleOf('b1.c1', 0), sampleOf('b1.c2', 0)] }
    const refused = [
      [roundOf(1, ['b1.c1', 'b2.c1']), 'round-foreign-cell'],
      [roundOf(1, [], twice), 'round-malformed'],
      [roundOf(1, [], crowded), 'round-malformed'],
    ] as const
    for (const [round, code] of refused) {
      expect(() => put(store, 't1', round)).toThrow(fault(code))
    }
    expect(store.samples.ofRun('run-1', { limit: 100, cursor: null }).samples).toEqual([])
    expect(take(store, 't1').take.savedRounds).toBe(0)
  })

  it('gives back every number as it was sent, odd ones too', () => {
    const { store } = openWithRun([blockOf('b1', [null])])
    take(store, 't1')
    const sample = sampleOf('b1.c1', 3, {
      outcome: 'timed-out',
      exitCode: null,
      signal: 'SIGKILL',
      usage: {
        wallSeconds: 0.1 + 0.2,
        userSeconds: 5e-324,
        systemSeconds: 1e300,
        peakRssBytes: null,
        minorFaults: 0,
        majorFaults: Number.MAX_SAFE_INTEGER,
        voluntarySwitches: 4_294_967_296,
        involuntarySwitches: 1,
        blocksIn: 2,
        blocksOut: 3,
      },
      metrics: { revisionsPerSecond: 1 / 3, chunkBytes: 2 ** 53 + 2, negative: -0.25 },
      loops: 17,
      stackPaddingBytes: 4095,
      stderr: 'abort: caf\u00e9 \u{1f600}\n',
    })
    const round = roundOf(1, [], { samples: [sample] })
    put(store, 't1', round)
    expect(take(store, 't1').rounds).toEqual([round])
    const { samples } = store.samples.ofRun('run-1', { limit: 10, cursor: null })
    expect(samples).toEqual([{ ...sample, take: 1, round: 1, warmup: false }])
  })
})

describe('reading samples', () => {
  it('pages through every sample of a run once, of all takes, warmups marked', () => {
    const { store } = openWithRun([blockOf('b1', [null, null]), blockOf('b2', [null])])
    take(store, 't2', { blockId: 'b2' })
    put(store, 't2', roundOf(1, ['b2.c1']))
    for (const [index, host] of ['host-a', 'host-b'].entries()) {
      take(store, host, { host })
      put(store, host, roundOf(1, cells, { warmup: true }))
      for (let number = 1; number <= 3 - index; number += 1)
        put(store, host, roundOf(number, cells))
      store.blocks.release({ token: host })
    }
    const place = ({ cellId, take, warmup, round }: StoredSample): string =>
      `${cellId} take ${take} ${warmup ? 'warmup' : 'round'} ${round}`
    const whole = store.samples.ofRun('run-1', { limit: 100, cursor: null })
    expect(whole.nextCursor).toBeNull()
    expect(whole.samples).toHaveLength(2 * (4 + 3) + 1)
    for (const limit of [1, 2, 5, 14, 15]) {
      const paged: string[] = []
      let cursor: string | null = null
      do {
        const page = store.samples.ofRun('run-1', { limit, cursor })
        expect(page.samples.length).toBeLessThanOrEqual(limit)
        paged.push(...page.samples.map(place))
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(paged).toEqual(whole.samples.map(place))
    }
    expect(whole.samples.map(place).slice(0, 3)).toEqual([
      'b1.c1 take 1 round 1',
      'b1.c2 take 1 round 1',
      'b1.c1 take 1 round 2',
    ])
  })

  it('judges the highest take of each block alone, without warmups, by round', () => {
    const { store } = openWithRun([blockOf('b1', [null, null]), blockOf('b2', ['x'])])
    take(store, 'old', { host: 'host-a' })
    put(store, 'old', roundOf(1, cells))
    store.blocks.release({ token: 'old' })
    take(store, 'new', { host: 'host-b' })
    put(store, 'new', roundOf(1, cells, { warmup: true }))
    put(store, 'new', roundOf(2, cells))
    const bad = [sampleOf('b1.c2', 0), sampleOf('b1.c1', 1, { outcome: 'failed', exitCode: 1 })]
    put(store, 'new', roundOf(1, [], { samples: bad }))
    const evidence = store.samples.evidence('run-1', 'wallSeconds')
    expect(evidence.run).toEqual(store.runs.get('run-1'))
    expect(evidence.metric).toEqual({ name: 'wallSeconds', unit: 'seconds' })
    expect(evidence.blocks).toEqual([
      {
        blockId: 'b1',
        stopReason: null,
        fingerprint: hostOf('host-b').digest,
        cells: [
          {
            ...{ cellId: 'b1.c1', status: 'running', reason: null },
            samples: [
              { round: 1, position: 1, outcome: 'failed', loops: 1, value: 0.101 },
              { round: 2, position: 0, outcome: 'good', loops: 1, value: 0.1 },
            ],
          },
          {
            ...{ cellId: 'b1.c2', status: 'running', reason: null },
            samples: [
              { round: 1, position: 0, outcome: 'good', loops: 1, value: 0.1 },
              { round: 2, position: 1, outcome: 'good', loops: 1, value: 0.101 },
            ],
          },
        ],
      },
      {
        blockId: 'b2',
        stopReason: 'unsupported',
        fingerprint: null,
        cells: [{ cellId: 'b2.c1', status: 'unsupported', reason: 'x', samples: [] }],
      },
    ])
    const counts = store.cells.ofRun('run-1').map((cell) => [cell.goodSamples, cell.samples])
    expect(counts).toEqual([
      [1, 2],
      [2, 2],
      [0, 0],
    ])
  })

  it('knows the metrics of the operating system and those of the benchmark', () => {
    const { store } = openWithRun([blockOf('b1', [null])])
    take(store, 't1')
    const sample = sampleOf('b1.c1', 0, { metrics: { readBytes: 4096.5 } })
    put(store, 't1', roundOf(1, [], { samples: [sample] }))
    const judged = (metric: string) => {
      const { blocks, metric: named } = store.samples.evidence('run-1', metric)
      return [blocks[0]?.cells[0]?.samples[0]?.value, named.unit]
    }
    expect(judged('cpuSeconds')).toEqual([0.05 + 0.03, 'seconds'])
    expect(judged('userSeconds')).toEqual([0.05, 'seconds'])
    expect(judged('peakRssBytes')).toEqual([12_345_678, 'bytes'])
    expect(judged('minorFaults')).toEqual([100, 'count'])
    expect(judged('readBytes')).toEqual([4096.5, 'bytes'])
    expect(judged('neverMeasured')).toEqual([null, 'count'])
  })
})
