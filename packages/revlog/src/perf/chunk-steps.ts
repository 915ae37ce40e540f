/**
 * The steps of perf::revlogchunks: reading, opening and compressing again the chunks of a revlog, in
 * the order and under the names of Mercurial's perf extension.
 */
import { type CompressionName, packChunk } from '../compression/index.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { PerfStep } from './step.ts'

/** What chunks are compressed with when nothing else is asked for, in the order of the steps. */
export const COMPRESSIONS: readonly CompressionName[] = ['none', 'zlib', 'zstd']

/** Which chunks, and what they are compressed with. */
export interface ChunkStepsOptions {
  /** The first revision whose chunk is used. */
  readonly startRev: number
  readonly compressions: readonly CompressionName[]
}

/** The steps, to be run in this order: what is compressed is what the step before kept. */
export function chunkSteps(revlog: Revlog, options: ChunkStepsOptions): PerfStep[] {
  const { startRev, compressions } = options
  const revs = Array.from({ length: revlog.length - startRev }, (_, at) => startRev + at)
  const last = revlog.length - 1
  let plain: readonly Uint8Array[] | undefined
  const chunks = (): readonly Uint8Array[] => {
    plain ??= revlog.chunks(revs)
    return plain
  }
  return [
    { title: 'read', run: cold(revlog, () => readEach(revlog, revs, true)) },
    { title: 'read w/ reused fd', run: cold(revlog, () => readEach(revlog, revs, false)) },
    { title: 'read batch', run: cold(revlog, () => revlog.storedSegment(startRev, last)) },
    { title: 'read batch w/ reused fd', run: cold(revlog, () => readOpened(revlog, startRev)) },
    { title: 'chunk', run: cold(revlog, () => openEach(revlog, revs)) },
    {
      title: 'chunk batch',
      run: cold(revlog, () => {
        plain = revlog.chunks(revs)
      }),
    },
    ...compressions.map((compression) => ({
      title: `compress w/ ${compression}`,
      run: () => compressEach(chunks(), compression),
    })),
  ]
}

/** Each run starts with nothing kept from the one before. */
function cold(revlog: Revlog, run: () => unknown): () => void {
  return () => {
    revlog.clearCaches()
    run()
  }
}

/** The stored chunks one by one; with `reopen` the file is opened anew for what is not yet read. */
function readEach(revlog: Revlog, revs: readonly number[], reopen: boolean): void {
  for (const rev of revs) {
    revlog.storedChunk(rev)
    if (reopen) revlog.closeDataFile()
  }
}

/** The file is opened by a first read, then everything comes by one. */
function readOpened(revlog: Revlog, startRev: number): void {
  revlog.storedChunk(startRev)
  revlog.storedSegment(startRev, revlog.length - 1)
}

function openEach(revlog: Revlog, revs: readonly number[]): void {
  for (const rev of revs) revlog.chunk(rev)
}

function compressEach(chunks: readonly Uint8Array[], compression: CompressionName): void {
  for (const chunk of chunks) packChunk(chunk, compression)
}
