/** Small runs, rounds and hosts to try the store with; nothing random, everything can be overridden. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  digestOf,
  type Fingerprint,
  type Plan,
  type PlannedBlock,
  type PlannedCell,
  type Round,
  type Run,
  type Sample,
  textDigest,
} from '@assay/model'
import { openStore, type Store } from '@assay/store'
import { expect, onTestFinished } from 'vitest'

export const yaml = 'compare: { mode: [no-mmap, mmap-populate] }\nbenchmarks: [hg.command.log]\n'

/** A path for a store in a folder of its own, which goes with the test. */
export const storePath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'assay.db')
}

/** A clock that stands still until it is moved. */
export const stillClock = (start = 1_000_000) => {
  let time = start
  return {
    now: () => time,
    advance: (millis: number): void => {
      time += millis
    },
  }
}

export const cellOf = (
  blockId: string,
  index: number,
  unsupported: string | null,
): PlannedCell => ({
  id: `${blockId}.c${index}`,
  label: `label-${index}`,
  role: index === 1 ? 'baseline' : 'candidate',
  variantId: textDigest(`${blockId} ${index}`),
  engine: { name: 'revlog', flavor: 'default', script: null },
  mode: 'no-mmap',
  dataset: null,
  parameters: { patch: 'yes' },
  command: null,
  unsupported,
})

/** A block of cells; each entry is why the cell is unsupported, or null. */
export const blockOf = (id: string, cells: readonly (string | null)[]): PlannedBlock => ({
  id,
  headings: { 'benchmark.name': 'hg.command.log' },
  benchmark: { name: 'hg.command.log', version: 1 },
  cells: cells.map((unsupported, index) => cellOf(id, index + 1, unsupported)),
})

export const planOf = (blocks: readonly PlannedBlock[]): Plan => ({
  campaign: 'mmap',
  campaignDigest: textDigest(yaml),
  seed: 'seed',
  comparedFactor: 'mode',
  sampling: {
    rounds: { min: 20, max: 60 },
    precision: 0.01,
    warmups: 1,
    cache: 'warm',
    budgetSeconds: null,
    selfCheck: false,
    timeoutSeconds: 60,
  },
  verdict: {
    metrics: ['wallSeconds'],
    threshold: 0.01,
    tolerance: 0.02,
    minDifferenceSeconds: 0,
    falseDiscoveryRate: 0.05,
  },
  blocks,
})

export const runOf = (id: string, changes: Partial<Run> = {}): Run => ({
  id,
  name: null,
  campaign: 'mmap',
  campaignDigest: textDigest(yaml),
  seed: 'seed',
  status: 'planned',
  reason: null,
  createdAt: 1_000_000,
  finishedAt: null,
  labels: {},
  priority: 0,
  invalid: null,
  ...changes,
})

export const hostOf = (name: string): Fingerprint => ({
  digest: digestOf({ 'cpu.model': name }),
  facts: { 'cpu.model': name },
})

export const sampleOf = (
  cellId: string,
  position: number,
  changes: Partial<Sample> = {},
): Sample => ({
  cellId,
  position,
  outcome: 'good',
  exitCode: 0,
  signal: null,
  usage: {
    wallSeconds: 0.1 + position / 1000,
    userSeconds: 0.05,
    systemSeconds: 0.03,
    peakRssBytes: 12_345_678,
    minorFaults: 100,
    majorFaults: 0,
    voluntarySwitches: 3,
    involuntarySwitches: 1,
    blocksIn: 0,
    blocksOut: 8,
  },
  metrics: {},
  loops: 1,
  stackPaddingBytes: 512,
  stderr: '',
  ...changes,
})

/** A round over these cells, in this order. */
export const roundOf = (
  number: number,
  cellIds: readonly string[],
  changes: Partial<Round> = {},
): Round => ({
  number,
  warmup: false,
  conditions: {
    bootSeconds: 1234.5,
    load: 0.25,
    cpuPressure: null,
    ioPressure: null,
    stealSeconds: 0,
    temperatureCelsius: null,
    frequencyMegahertz: 2400,
  },
  samples: cellIds.map((cellId, position) => sampleOf(cellId, position)),
  ...changes,
})

export const put = (store: Store, token: string, round: Round) =>
  store.rounds.put({ token, digest: digestOf(round), round })

/** Takes a block on a host, with a lease of a minute. */
export const take = (
  store: Store,
  token: string,
  { runId = 'run-1', blockId = 'b1', worker = 'worker-1', host = 'host-a' } = {},
) =>
  store.blocks.take({
    ...{ runId, blockId, token, worker },
    fingerprint: hostOf(host),
    leaseMillis: 60_000,
  })

/** A writer's store with one run `run-1` of these blocks, closed with the test. */
export const openWithRun = (
  blocks: readonly PlannedBlock[] = [blockOf('b1', [null, null])],
  trace?: (sql: string) => void,
) => {
  const clock = stillClock()
  const path = storePath()
  const store = openStore({
    ...{ path, access: 'write', now: clock.now },
    ...(trace === undefined ? {} : { trace }),
  })
  onTestFinished(() => store.close())
  store.campaigns.save({ name: 'mmap', yaml })
  store.runs.create({ run: runOf('run-1'), plan: planOf(blocks) })
  return { store, clock, path }
}

/** Matches an `AssayError` with this code, and with this in its message. */
export const fault = (code: string, message = '') =>
  expect.objectContaining({ name: 'AssayError', code, message: expect.stringContaining(message) })
