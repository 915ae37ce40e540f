/** Builders of model values for tests: complete, valid, and changed where a test says so. */
import type {
  Conditions,
  Fingerprint,
  GeneratedDatasetSpec,
  PlannedBlock,
  PlannedCell,
  Round,
  Sample,
  Sampling,
  TakenBlock,
  Usage,
} from '@assay/model'

export const aUsage = (changes: Partial<Usage> = {}): Usage => ({
  wallSeconds: 0.1,
  userSeconds: 0.05,
  systemSeconds: 0.01,
  peakRssBytes: 1_000_000,
  minorFaults: 100,
  majorFaults: 0,
  voluntarySwitches: 1,
  involuntarySwitches: 0,
  blocksIn: 0,
  blocksOut: 0,
  ...changes,
})

export const aSample = (changes: Partial<Sample> = {}): Sample => ({
  cellId: 'b1.c1',
  position: 0,
  outcome: 'good',
  exitCode: 0,
  signal: null,
  usage: aUsage(),
  metrics: {},
  loops: 1,
  stackPaddingBytes: 0,
  stderr: '',
  ...changes,
})

export const aConditions = (): Conditions => ({
  bootSeconds: 1000,
  load: 0.5,
  cpuPressure: 0,
  ioPressure: 0,
  stealSeconds: 0,
  temperatureCelsius: null,
  frequencyMegahertz: null,
})

export const aRound = (changes: Partial<Round> = {}): Round => ({
  number: 1,
  warmup: false,
  conditions: aConditions(),
  samples: [],
  ...changes,
})

export const aSampling = (changes: Partial<Sampling> = {}): Sampling => ({
  rounds: { min: 3, max: 5 },
  precision: 0.01,
  warmups: 1,
  cache: 'warm',
  budgetSeconds: null,
  selfCheck: false,
  timeoutSeconds: 60,
  ...changes,
})

export const aDatasetSpec = (
  changes: Partial<GeneratedDatasetSpec> = {},
): GeneratedDatasetSpec => ({
  name: 'tiny',
  generate: 'mercurial-like',
  scale: 0.001,
  format: ['zstd', 'sparse-revlog'],
  seed: '1',
  ...changes,
})

export const aCell = (changes: Partial<PlannedCell> = {}): PlannedCell => ({
  id: 'b1.c1',
  label: 'no-mmap',
  role: 'baseline',
  variantId: 'v1',
  engine: { name: 'fake', flavor: 'default', script: null },
  mode: 'no-mmap',
  dataset: null,
  parameters: {},
  command: null,
  unsupported: null,
  ...changes,
})

export const aBlock = (changes: Partial<PlannedBlock> = {}): PlannedBlock => ({
  id: 'b1',
  headings: { 'benchmark.name': 'hg.command.log' },
  benchmark: { name: 'hg.command.log', version: 1 },
  cells: [aCell(), aCell({ id: 'b1.c2', label: 'mmap', role: 'candidate', variantId: 'v2' })],
  ...changes,
})

export const aFingerprint = (changes: Partial<Fingerprint> = {}): Fingerprint => ({
  digest: 'host-1',
  facts: { kernel: 'test' },
  ...changes,
})

export const aTakenBlock = (changes: Partial<TakenBlock> = {}): TakenBlock => ({
  take: {
    token: 'token-1',
    runId: 'run-1',
    blockId: 'b1',
    number: 1,
    worker: 'tests',
    fingerprint: aFingerprint(),
    savedRounds: 0,
    savedWarmups: 0,
    leaseUntil: 0,
  },
  leaseMillis: 60_000,
  block: aBlock(),
  sampling: aSampling(),
  seed: 'seed',
  metric: 'wallSeconds',
  rounds: [],
  ...changes,
})
