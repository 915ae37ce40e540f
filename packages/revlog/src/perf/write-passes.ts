/**
 * What perf::revlogwrite measures: the last revisions of a revlog are appended again to a copy that
 * lacks them, in some passes, and each append is timed. The copy lives in a temporary folder.
 */
import { copyFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CompressionName } from '../compression/index.ts'
import { RevlogError } from '../errors.ts'
import { ENTRY_SIZE } from '../format/constants.ts'
import type { Revlog } from '../reader/revlog.ts'
import { openRevlogWriter, type RevlogWriter } from '../writer/index.ts'
import { measureRun, type PerfClock, type Timing } from './measure-runs.ts'
import type { StepTimings } from './timing-text.ts'

/** What is written, and how. */
export interface WritePassesOptions {
  readonly revlog: Revlog
  readonly indexPath: string
  /** Revisions startRev up to, and without, stopRev. */
  readonly startRev: number
  readonly stopRev: number
  readonly passes: number
  readonly compression: CompressionName
  readonly sparse: boolean
  /** Every text in full, as in changelogs. */
  readonly fullTexts: boolean
  readonly clock: PerfClock
}

/** The times of one revision in all passes, the shortest first. */
export interface WriteTimings {
  readonly rev: number
  readonly timings: readonly Timing[]
}

/** Appends and times. Throws `unsupported` for an inline revlog, which Mercurial refuses too. */
export function measureWrites(options: WritePassesOptions): readonly Timing[][] {
  if (options.revlog.index.inline) {
    throw new RevlogError('unsupported', 'not supporting inline revlog (yet)')
  }
  return Array.from({ length: options.passes }, () => measurePass(options))
}

function measurePass(options: WritePassesOptions): Timing[] {
  const { revlog, startRev, stopRev, clock } = options
  const { index } = revlog
  const folder = mkdtempSync(join(tmpdir(), 'revlog-write-'))
  try {
    const writer = openCopy(options, folder)
    const timings: Timing[] = []
    for (let rev = startRev; rev < stopRev; rev++) {
      const text = revlog.rawText(rev)
      const [p1, p2, linkRev] = [index.p1(rev), index.p2(rev), index.linkRev(rev)]
      const append = (): void => {
        writer.append({ text, p1, p2, linkRev })
        writer.flush()
      }
      timings.push(measureRun(append, clock))
    }
    return timings
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The revlog without what is to be written. */
function openCopy(options: WritePassesOptions, folder: string): RevlogWriter {
  const { revlog, indexPath, startRev, compression, sparse, fullTexts } = options
  const { index } = revlog
  const copy = { indexPath: join(folder, 'copy.i'), dataPath: join(folder, 'copy.d') }
  copyFileSync(indexPath, copy.indexPath)
  copyFileSync(indexPath.replace(/\.i$/, '.d'), copy.dataPath)
  truncateSync(copy.indexPath, startRev * ENTRY_SIZE)
  truncateSync(copy.dataPath, index.offset(startRev))
  const { generaldelta } = index
  const delta = { generaldelta, sparse: sparse && generaldelta, fullTexts }
  return openRevlogWriter({ ...copy, ...delta, compression })
}

/** The revisions at these shares of all, from the quickest to write to the slowest. */
const SHARES = [10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999]

/** What is printed of the passes: some revisions by rank, or all in turn, and the whole. */
export function writeSteps(
  passes: readonly (readonly Timing[])[],
  startRev: number,
  details: boolean,
): readonly StepTimings[] {
  const byRev = (passes[0] ?? []).map((_, at) => ({
    rev: startRev + at,
    timings: sorted(passes.flatMap((pass) => pass[at] ?? [])),
  }))
  const count = byRev.length
  const total = sorted(passes.map(sum))
  const steps = details
    ? byRev.map(({ rev, timings }, at) => ({
        title: `revisions #${at} of ${count}, rev ${rev}`,
        timings,
      }))
    : ranked(byRev)
  return [...steps, { title: `total time (${count} revs)`, timings: total }]
}

function ranked(byRev: readonly WriteTimings[]): readonly StepTimings[] {
  const order = [...byRev].sort((a, b) => medianOf(a.timings) - medianOf(b.timings))
  const count = order.length
  const at = (name: string, rank: number): readonly StepTimings[] => {
    const one = order[Math.min(rank, count - 1)]
    if (one === undefined) return []
    return [{ title: `${name} of ${count}, rev ${one.rev}`, timings: one.timings }]
  }
  return [
    ...at('min', 0),
    ...SHARES.flatMap((share) => at(`${share}%`, Math.floor((count * share) / 100))),
    ...at('max', count - 1),
  ]
}

function medianOf(timings: readonly Timing[]): number {
  return timings[timings.length >>> 1]?.wallSeconds ?? 0
}

function sorted(timings: readonly Timing[]): readonly Timing[] {
  return [...timings].sort((a, b) => a.wallSeconds - b.wallSeconds)
}

function sum(timings: readonly Timing[]): Timing {
  let [wallSeconds, userSeconds, systemSeconds] = [0, 0, 0]
  for (const timing of timings) {
    wallSeconds += timing.wallSeconds
    userSeconds += timing.userSeconds
    systemSeconds += timing.systemSeconds
  }
  return { wallSeconds, userSeconds, systemSeconds }
}
