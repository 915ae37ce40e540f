/**
 * Results of pyperf (format 1.0). A block is a benchmark, its rows are the files, the first being
 * the baseline. A sample is a process, by the mean of its values: values of one process share its
 * hash seed, memory layout and loops, so that they are no independent samples (Kalibera and Jones,
 * "Rigorous benchmarking in reasonable time", ISMM 2013). Warmups and calibrations are kept apart.
 * Rows that were measured on different hosts are kept and said to be not comparable.
 */
import { basename } from 'node:path'
import { z } from 'zod'
import { importUnreadable } from './import-errors.ts'
import {
  type ImportedCell,
  type ImportedResult,
  type ImportedSample,
  type ImportFile,
  parseImport,
} from './import-result.ts'

const metadataSchema = z.looseObject({
  name: z.string().exactOptional(),
  unit: z.string().exactOptional(),
  loops: z.int().min(1).exactOptional(),
  inner_loops: z.int().min(1).exactOptional(),
  mem_max_rss: z.number().min(0).exactOptional(),
})
type Metadata = z.infer<typeof metadataSchema>

const runSchema = z.object({
  metadata: metadataSchema.default({}),
  values: z.array(z.number().min(0)).default([]),
  /** Loops and seconds of one of them. */
  warmups: z.array(z.tuple([z.int().min(1), z.number().min(0)])).default([]),
})

const suiteSchema = z.object({
  version: z.literal('1.0', { error: 'not a pyperf result of version 1.0' }),
  metadata: metadataSchema.default({}),
  benchmarks: z
    .array(z.object({ metadata: metadataSchema.default({}), runs: z.array(runSchema).min(1) }))
    .min(1),
})
type Benchmark = z.infer<typeof suiteSchema>['benchmarks'][number]

/** What must be equal for two hosts to be one: pyperf's names. */
const hostFacts = ['hostname', 'cpu_model_name', 'cpu_count', 'platform'] as const

const hostOf = (metadata: Metadata): Record<string, string> =>
  Object.fromEntries(
    hostFacts.flatMap((name) => {
      const value = metadata[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )

const sampleOf = (seconds: number, loops: number, metadata: Metadata): ImportedSample => ({
  seconds,
  outcome: 'good',
  exitCode: 0,
  peakRssBytes: metadata.mem_max_rss ?? null,
  loops,
})

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** What rows are called: file names without folder and ending, where these tell the files apart. */
const labelsOf = (files: readonly ImportFile[]): ReadonlyMap<ImportFile, string> => {
  const short = files.map(({ name }) => basename(name).replace(/\.json$/, ''))
  const areApart = new Set(short).size === files.length
  return new Map(files.map((file, at) => [file, areApart ? (short[at] ?? file.name) : file.name]))
}

const cellOf = (label: string, benchmark: Benchmark, shared: Metadata): ImportedCell => {
  const samples: ImportedSample[] = []
  const warmups: ImportedSample[] = []
  for (const { metadata: own, values, warmups: warm } of benchmark.runs) {
    const metadata = { ...shared, ...own }
    const inner = metadata.inner_loops ?? 1
    const loops = (metadata.loops ?? 1) * inner
    // A process that only calibrates has no values.
    if (values.length > 0) samples.push(sampleOf(meanOf(values), loops, metadata))
    warmups.push(...warm.map(([count, seconds]) => sampleOf(seconds, count * inner, metadata)))
  }
  return { label, samples, warmups, missing: null, host: hostOf(shared) }
}

/** Reads pyperf's results. Errors: `import-unreadable`, also for a unit other than seconds. */
export const importPyperf = (files: readonly ImportFile[]): ImportedResult => {
  const cells = new Map<string, ImportedCell[]>()
  const labels = labelsOf(files)
  for (const file of files) {
    const suite = parseImport(file, suiteSchema)
    for (const benchmark of suite.benchmarks) {
      const shared = { ...suite.metadata, ...benchmark.metadata }
      const { name = 'unnamed', unit = 'second' } = shared
      if (unit !== 'second') {
        throw importUnreadable(file.name, `${name} is in ${unit}; only seconds can be imported`)
      }
      cells.set(name, [
        ...(cells.get(name) ?? []),
        cellOf(labels.get(file) ?? file.name, benchmark, shared),
      ])
    }
  }
  return {
    kind: 'pyperf',
    comparedFactor: 'file',
    blocks: [...cells].map(([name, ofName]) => ({
      headings: { 'benchmark.name': name },
      cells: ofName,
    })),
  }
}
