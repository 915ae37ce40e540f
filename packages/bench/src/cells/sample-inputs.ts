/**
 * Inputs of samples that transfer revisions: a repository without the last ones, and a bundle with
 * exactly those. They are made once for a dataset, by the embedded engine's own program in a process
 * of its own, and lie beside the dataset for whoever measures it again.
 */
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { takeFileLock } from '@assay/measure'
import type { PlannedBlock, PlannedCell } from '@assay/model'
import { execa } from 'execa'
import { z } from 'zod'
import { benchmarkNamed } from '../benchmarks/index.ts'
import { datasetStamp } from '../datasets/digest.ts'
import { lockPathOf, startPartial } from '../datasets/partial.ts'
import { programPath } from '../engines/revlog-program.ts'
import { inputsImpossible } from '../errors.ts'

/** Raised when other inputs are made of the same dataset. */
const INPUTS_VERSION = 2

/** Where the inputs of a cell lie once they are made. */
export interface SampleInputs {
  /** What the measured repository is, or is copied from. */
  readonly dataset: string
  /** What the other repository is, or is copied from; null where there is none. */
  readonly remote: string | null
  /** The file with the revisions that the measured repository lacks; null where nothing takes one. */
  readonly bundle: string | null
  /** The folder that has to be made first; null where a dataset is all. */
  readonly made: { readonly folder: string; readonly revs: string } | null
}

/** The inputs of a cell on a dataset. Nothing is made yet. */
export const inputsOf = (
  cell: PlannedCell,
  { benchmark }: PlannedBlock,
  original: string,
): SampleInputs => {
  const declared = benchmarkNamed(benchmark.name)
  const revs = cell.parameters['revs'] ?? 'any-1-extra-rev'
  if (declared?.lacking === undefined) {
    return { dataset: original, remote: null, bundle: null, made: null }
  }
  const folder = join(dirname(original), 'inputs', revs)
  const less = join(folder, 'repository')
  const made = { folder, revs }
  if (declared.lacking === 'remote') return { dataset: original, remote: less, bundle: null, made }
  return declared.needsRemote
    ? { dataset: less, remote: original, bundle: null, made }
    : { dataset: less, remote: null, bundle: join(folder, 'extra.hg'), made }
}

const recordSchema = z.object({
  version: z.int(),
  stamp: z.string(),
  heads: z.array(z.string()).readonly(),
})

const recordOf = (folder: string): z.infer<typeof recordSchema> | undefined => {
  const path = join(folder, 'inputs.json')
  if (!existsSync(path)) return undefined
  return recordSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
}

/** The heads among the revisions that one side lacks, by their nodes; none before they are made. */
export const extraHeadsOf = (inputs: SampleInputs | null): readonly string[] =>
  inputs === null || inputs.made === null ? [] : (recordOf(inputs.made.folder)?.heads ?? [])

/** Whether they lie there as they were made; what anything wrote into is made anew. */
const areReady = (folder: string): boolean => {
  const record = recordOf(folder)
  if (record?.version !== INPUTS_VERSION) return false
  return record.stamp === datasetStamp(join(folder, 'repository'))
}

/** How many changesets a level of `revs` stands for, in a history of so many. */
const extraOf = (revs: string, length: number): number => {
  if (revs === 'all') return length
  const [, digits = '1'] = /^(?:any|last)-(\d+)/.exec(revs) ?? []
  return Number(digits)
}

/** What the inputs are made of: how many changesets stay, and the heads of the others, by their nodes. */
const cutOf = async (
  original: string,
  revs: string,
): Promise<{ readonly kept: number; readonly heads: readonly string[] }> => {
  // Loaded for this alone, as for generating: the start of every other command would wait for it.
  const { headRevs, openRepository } = await import('@assay/revlog')
  const repository = openRepository(original, { mode: 'no-mmap' })
  try {
    const { changelog } = repository
    const { length } = changelog
    const kept = length - extraOf(revs, length)
    if (kept < 0) throw inputsImpossible(revs, `it has ${length} revisions only`)
    const heads = headRevs(changelog.index).filter((rev) => rev >= kept)
    return { kept, heads: heads.map((rev) => changelog.nodeHex(rev)) }
  } finally {
    repository.close()
  }
}

/** Makes what is not ready. Rejects with `inputs-impossible`, or as the file system does. */
export const makeInputs = async (
  { made }: SampleInputs,
  original: string,
  signal: AbortSignal,
): Promise<void> => {
  if (made === null || areReady(made.folder)) return
  const cut = await cutOf(original, made.revs)
  // Whoever makes them already is waited for; what one left that was killed at it is cleared away.
  const lock = await takeFileLock(lockPathOf(made.folder), signal)
  try {
    if (!areReady(made.folder)) await makeAnew(made, { original, signal, ...cut })
  } finally {
    lock.release()
  }
}

const makeAnew = async (
  made: { readonly folder: string; readonly revs: string },
  filling: Filling,
): Promise<void> => {
  const partial = startPartial(made.folder)
  try {
    await fill(partial, filling)
    const { heads } = filling
    const stamp = datasetStamp(join(partial, 'repository'))
    const record = { version: INPUTS_VERSION, stamp, heads }
    await writeFile(join(partial, 'inputs.json'), `${JSON.stringify(record)}\n`)
    await rm(made.folder, { recursive: true, force: true })
    renameSync(partial, made.folder)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    filling.signal.throwIfAborted()
    throw inputsImpossible(made.revs, error instanceof Error ? error.message : String(error))
  }
}

interface Filling {
  readonly original: string
  readonly kept: number
  readonly heads: readonly string[]
  readonly signal: AbortSignal
}

const fill = async (folder: string, { original, kept, signal }: Filling): Promise<void> => {
  const revlog = async (...argv: readonly string[]): Promise<void> => {
    await execa(process.execPath, [programPath(), '-R', original, ...argv], {
      cancelSignal: signal,
    })
  }
  const repository = join(folder, 'repository')
  const first = kept === 0 ? 'null' : `0:${kept - 1}`
  await revlog('clone', '-U', '-r', first, original, repository)
  // The path of its source has no meaning for samples, which are told where everything is.
  await rm(join(repository, '.hg', 'hgrc'), { force: true })
  await revlog('bundle', '-q', '-t', 'none-v2', join(folder, 'extra.hg'), repository)
}
