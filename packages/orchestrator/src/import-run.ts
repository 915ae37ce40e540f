/**
 * Use-case: import results of another tool as a complete run of the store, or judge them without
 * one. Both come from the same plan and rounds, so both give the same report.
 */
import { digestOf, type Evidence, type PlannedRun, type Report, type Run } from '@assay/model'
import { judgeRun as judgeEvidence } from '@assay/stats'
import type { Store } from '@assay/store'
import { importEmpty, importKindUnknown, importKindWrong } from './import-errors.ts'
import { importHyperfine } from './import-hyperfine.ts'
import { type ImportedRun, planImport } from './import-plan.ts'
import { importPyperf } from './import-pyperf.ts'
import type { ImportedResult, ImportFile } from './import-result.ts'
import { importText } from './import-text.ts'

/** A kind of results that can be imported. */
export interface Importer {
  /** As in `--from`. */
  readonly name: string
  /** What such a file is, in words. */
  readonly holds: string
  /** Whether a text looks like it; the first that says so reads it. */
  recognizes(text: string): boolean
  read(files: readonly ImportFile[]): ImportedResult
}

const isJsonWith = (key: string, text: string): boolean =>
  /^\s*\{/u.test(text) && text.includes(`"${key}"`)

/** Every kind of results, one line each; text takes what is no JSON. */
export const importers: readonly Importer[] = [
  {
    name: 'hyperfine',
    holds: 'an export of hyperfine',
    recognizes: (text) => isJsonWith('results', text),
    read: importHyperfine,
  },
  {
    name: 'pyperf',
    holds: 'results of pyperf',
    recognizes: (text) => isJsonWith('benchmarks', text),
    read: importPyperf,
  },
  {
    name: 'text',
    holds: 'printed comparisons',
    recognizes: (text) => !/^\s*[[{]/u.test(text),
    read: importText,
  },
]

/** What is imported. */
export interface ImportRequest {
  /** At least one, all of one kind; where files are compared the first is the baseline. */
  readonly files: readonly ImportFile[]
  /** The kind, or null to tell it from the first file. */
  readonly kind: string | null
  /** A name to find the run by, or null. */
  readonly name: string | null
}

/** Where it goes. */
export interface ImportSite {
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => string
}

const importerFor = ({ files, kind }: ImportRequest): Importer => {
  const [first = { name: 'nothing', text: '{' }] = files
  const found = importers.find(({ name, recognizes }) =>
    kind === null ? recognizes(first.text) : name === kind,
  )
  if (found !== undefined) return found
  throw importKindUnknown(
    kind ?? first.name,
    importers.map(({ name }) => name),
  )
}

/** A file of another kind is named as what it is, before a reader stumbles over its first field. */
const checkKind = (file: ImportFile, importer: Importer): void => {
  if (file.text.trim() === '') throw importEmpty([file.name])
  if (importer.recognizes(file.text)) return
  const likely = importers.find(({ recognizes }) => recognizes(file.text))
  throw importKindWrong(file.name, importer, likely ?? null)
}

/**
 * Reads the files. Errors: `import-kind-unknown`, `import-kind-wrong`, `import-unreadable`,
 * `import-empty`, `report-text-garbled` with the lines of a text.
 */
export const readImport = (request: ImportRequest): ImportedRun => {
  const importer = importerFor(request)
  for (const file of request.files) checkKind(file, importer)
  return planImport(importer.read(request.files), request.files)
}

/** What a reader should know of the files: one sentence each. Errors: as `readImport`. */
export const importRemarks = (request: ImportRequest): readonly string[] =>
  readImport(request).remarks

const runOf = (
  { plan }: ImportedRun,
  { id, name, createdAt }: Pick<Run, 'id' | 'name' | 'createdAt'>,
): Run => ({
  id,
  name,
  campaign: plan.campaign,
  campaignDigest: plan.campaignDigest,
  seed: plan.seed,
  status: 'planned',
  reason: null,
  createdAt,
  finishedAt: null,
  labels: {},
  priority: 0,
  invalid: null,
})

/** The longest that storing one block may take. */
const leaseMillis = 600_000

const storeBlock = (
  imported: ImportedRun,
  block: { readonly runId: string; readonly blockId: string },
  { store, newId }: ImportSite,
): void => {
  const { rounds = [], ends = [] } = imported.rounds.get(block.blockId) ?? {}
  const token = newId()
  const { fingerprint } = imported
  store.blocks.take({ ...block, worker: 'import', fingerprint, token, leaseMillis })
  for (const round of rounds) store.rounds.put({ token, digest: digestOf(round), round })
  store.blocks.finish({ token, stopReason: 'rounds', cells: ends })
}

/**
 * Stores the files as a complete run. Everything is read before the first write; if a write fails,
 * the run is failed, not left open. Errors: as `readImport` and the store's.
 */
export const importRun = (request: ImportRequest, site: ImportSite): PlannedRun => {
  const imported = readImport(request)
  const { store } = site
  const { name } = request
  const run = runOf(imported, { id: site.newId(), name, createdAt: site.now() })
  store.campaigns.save({ name: run.campaign, yaml: imported.yaml })
  store.runs.create({ run, plan: imported.plan })
  try {
    for (const { blockId, status } of store.blocks.listOf(run.id)) {
      if (status === 'queued') storeBlock(imported, { runId: run.id, blockId }, site)
    }
  } catch (error) {
    const reason = `importing failed: ${error instanceof Error ? error.message : error}`
    store.runs.setStatus(run.id, 'failed', reason)
    throw error
  }
  return store.runs.get(run.id)
}

const evidenceOf = (imported: ImportedRun, run: PlannedRun): Evidence => ({
  run,
  pairing: 'unpaired',
  metric: { name: 'wallSeconds', unit: 'seconds' },
  blocks: imported.plan.blocks.map(({ id, cells }) => {
    const { rounds = [], ends = [] } = imported.rounds.get(id) ?? {}
    const judged = rounds.filter(({ warmup }) => !warmup)
    const measurable = cells.some(({ unsupported }) => unsupported === null)
    return {
      blockId: id,
      stopReason: measurable ? 'rounds' : 'unsupported',
      fingerprint: measurable ? imported.fingerprint.digest : null,
      cells: ends.map(({ cellId, status, reason }) => ({
        ...{ cellId, status, reason },
        samples: judged.flatMap(({ number, samples }) =>
          samples
            .filter((sample) => sample.cellId === cellId)
            .map(({ position, outcome, usage, loops }) => ({
              ...{ round: number, position, outcome, loops, value: usage.wallSeconds },
            })),
        ),
      })),
    }
  }),
})

/** The report that `importRun` would lead to, without a store. Errors: as `readImport`. */
export const judgeImport = (request: ImportRequest, now: () => number): Report => {
  const imported = readImport(request)
  const { name } = request
  const run = runOf(imported, { id: 'import', name, createdAt: now() })
  const finished = { ...run, status: 'complete' as const, finishedAt: run.createdAt }
  return judgeEvidence(evidenceOf(imported, { ...finished, plan: imported.plan }))
}
