/**
 * Imported results as the plan and the rounds of a run, so that they are stored, judged and printed
 * like any other. The samples were not measured side by side: the plan says `unpaired`, and a
 * round is only the place of a value in its list.
 */
import {
  type Conditions,
  digestOf,
  type Fingerprint,
  type Plan,
  type PlannedBlock,
  type PlannedCell,
  type Round,
  type Sample,
  textDigest,
  type VerdictRules,
  verdictRulesSchema,
} from '@assay/model'
import { importEmpty } from './import-errors.ts'
import type {
  ImportedBlock,
  ImportedCell,
  ImportedResult,
  ImportedSample,
  ImportFile,
} from './import-result.ts'

/** A block's rounds and how its cells ended. */
export interface ImportedRounds {
  readonly rounds: readonly Round[]
  readonly ends: readonly {
    readonly cellId: string
    readonly status: 'measured' | 'failed' | 'unsupported' | 'skipped'
    readonly reason: string | null
  }[]
}

/** A run that was measured elsewhere. */
export interface ImportedRun {
  readonly plan: Plan
  /** What stands in the place of a campaign's YAML: which files were imported. */
  readonly yaml: string
  /** Stands for the host, which the files know better than we do. */
  readonly fingerprint: Fingerprint
  /** By block id. */
  readonly rounds: ReadonlyMap<string, ImportedRounds>
  /** What a reader should know of the files: one sentence each, with the place. */
  readonly remarks: readonly string[]
}

/** The flavor of what another tool measured: no engine of ours can measure it again. */
export const importFlavor = 'import'

/** The rules of a campaign that names none. */
const defaultRules = {
  threshold: 0.01,
  tolerance: 0.02,
  minDifferenceSeconds: 0,
  falseDiscoveryRate: 0.05,
} as const

const unknownConditions: Conditions = {
  bootSeconds: 0,
  load: null,
  cpuPressure: null,
  ioPressure: null,
  stealSeconds: null,
  temperatureCelsius: null,
  frequencyMegahertz: null,
}

const sampleOf = (cellId: string, position: number, from: ImportedSample): Sample => ({
  cellId,
  position,
  outcome: from.outcome,
  exitCode: from.exitCode,
  signal: null,
  // What the source does not tell of one run is zero where the schema has no null.
  usage: {
    wallSeconds: from.seconds,
    userSeconds: 0,
    systemSeconds: 0,
    peakRssBytes: from.peakRssBytes,
    minorFaults: 0,
    majorFaults: 0,
    voluntarySwitches: 0,
    involuntarySwitches: 0,
    blocksIn: 0,
    blocksOut: 0,
  },
  metrics: {},
  loops: from.loops,
  stackPaddingBytes: 0,
  stderr: '',
})

const cellOf = (
  kind: string,
  at: { readonly id: string; readonly index: number; readonly headings: ImportedBlock['headings'] },
  { label, missing, host }: ImportedCell,
): PlannedCell => ({
  id: `${at.id}.c${at.index + 1}`,
  label,
  role: at.index === 0 ? 'baseline' : 'candidate',
  variantId: digestOf({ kind, label, headings: at.headings }),
  engine: { name: kind, flavor: importFlavor, script: null },
  mode: 'import',
  dataset: null,
  parameters: host,
  command: null,
  unsupported: missing?.status === 'unsupported' ? missing.reason : null,
})

/** Rows of one name are numbered, as `exec` numbers equal commands. */
const distinctlyLabelled = (cells: readonly ImportedCell[]): ImportedCell[] => {
  const seen = new Map<string, number>()
  return cells.map((cell) => {
    const count = (seen.get(cell.label) ?? 0) + 1
    seen.set(cell.label, count)
    return count === 1 ? cell : { ...cell, label: `${cell.label} (${count})` }
  })
}

const plannedBlock = (
  kind: string,
  id: string,
  { headings, cells }: ImportedBlock,
): PlannedBlock => ({
  id,
  headings,
  benchmark: { name: headings['benchmark.name'] ?? kind, version: 1 },
  cells: cells.map((cell, index) => cellOf(kind, { id, index, headings }, cell)),
})

const roundsOf = (
  id: string,
  cells: readonly ImportedCell[],
  which: 'samples' | 'warmups',
): Round[] => {
  const count = cells.reduce((most, cell) => Math.max(most, cell[which].length), 0)
  return Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    warmup: which === 'warmups',
    conditions: unknownConditions,
    samples: cells.flatMap((cell, index) => {
      const sample = cell[which][at]
      return sample === undefined ? [] : [sampleOf(`${id}.c${index + 1}`, index, sample)]
    }),
  }))
}

const endOf = ({ missing, samples }: ImportedCell) => {
  if (missing !== null) return missing
  if (samples.some(({ outcome }) => outcome === 'good'))
    return { status: 'measured', reason: null } as const
  const reason = samples.length === 0 ? 'no value in the file' : `all ${samples.length} runs failed`
  return { status: 'failed', reason } as const
}

const yamlOf = (kind: string, files: readonly ImportFile[]): string =>
  [
    '# Not a campaign: results that were imported from files.',
    `import: ${JSON.stringify(kind)}`,
    'files:',
    ...files.map(
      ({ name, text }) => `  - { name: ${JSON.stringify(name)}, sha256: ${textDigest(text)} }`,
    ),
    '',
  ].join('\n')

const fingerprintOf = (result: ImportedResult, files: readonly ImportFile[]): Fingerprint => {
  const hosts = result.blocks.flatMap(({ cells }) => cells.map(({ host }) => host))
  const names = [...new Set(hosts.flatMap((host) => Object.keys(host)))].sort()
  const facts = {
    'import.kind': result.kind,
    'import.files': digestOf(files.map(({ text }) => textDigest(text))),
    ...Object.fromEntries(
      names.map((name) => [
        `import.${name}`,
        [...new Set(hosts.flatMap((host) => host[name] ?? []))].join(' | '),
      ]),
    ),
  }
  return { digest: digestOf(facts), facts }
}

const countsOf = (result: ImportedResult): { least: number; most: number; warmups: number } => {
  const cells = result.blocks.flatMap((block) => block.cells)
  const counts = cells.map(({ samples }) => samples.length).filter((count) => count > 0)
  const warmups = cells.map((cell) => cell.warmups.length)
  const [most, fewest] = [Math.max(0, ...counts), Math.min(...counts, Number.MAX_SAFE_INTEGER)]
  return { least: Math.min(fewest, most), most, warmups: Math.max(0, ...warmups) }
}

/** The run that these results would be. Errors: `import-empty`. */
export const planImport = (
  result: ImportedResult,
  files: readonly ImportFile[],
  rules: Partial<VerdictRules> = {},
): ImportedRun => {
  const { least, most, warmups } = countsOf(result)
  if (most === 0) throw importEmpty(files.map(({ name }) => name))
  const yaml = yamlOf(result.kind, files)
  const blocks = result.blocks.map((block, at) =>
    plannedBlock(result.kind, `b${at + 1}`, { ...block, cells: distinctlyLabelled(block.cells) }),
  )
  const rounds = result.blocks.map(({ cells }, at): readonly [string, ImportedRounds] => {
    const id = `b${at + 1}`
    const ends = cells.map((cell, index) => ({ cellId: `${id}.c${index + 1}`, ...endOf(cell) }))
    return [
      id,
      { rounds: [...roundsOf(id, cells, 'warmups'), ...roundsOf(id, cells, 'samples')], ends },
    ]
  })
  return {
    plan: {
      campaign: `import-${result.kind}`,
      campaignDigest: textDigest(yaml),
      seed: 'import',
      comparedFactor: result.comparedFactor,
      // Nothing here was decided by us; the numbers of values are those of the files.
      sampling: {
        rounds: { min: least, max: most },
        precision: 0.01,
        warmups,
        cache: 'warm',
        budgetSeconds: null,
        selfCheck: false,
        timeoutSeconds: 1,
      },
      verdict: verdictRulesSchema.parse({ ...defaultRules, ...rules }),
      pairing: 'unpaired',
      blocks,
    },
    yaml,
    fingerprint: fingerprintOf(result, files),
    rounds: new Map(rounds),
    remarks: result.remarks ?? [],
  }
}
