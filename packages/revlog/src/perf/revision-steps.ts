/**
 * The steps of perf::revlogrevision: what building one revision's text is made of, in the order and
 * under the names of Mercurial's perf extension.
 */
import { decompressChunk } from '../compression/index.ts'
import { applyDeltas } from '../delta/index.ts'
import { NULL_REV } from '../format/constants.ts'
import { sliceRanges } from '../reader/data-file.ts'
import { deltaChain } from '../reader/delta-chain.ts'
import { hashText } from '../reader/hash-text.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { PerfStep } from './step.ts'

const NO_BYTES = new Uint8Array(0)

/** The steps for a revision. With `keepCaches` nothing is forgotten between runs. */
export function revisionSteps(revlog: Revlog, rev: number, keepCaches: boolean): PerfStep[] {
  const { index } = revlog
  const clear = keepCaches ? () => undefined : () => revlog.clearCaches()
  const { revs, start } = deltaChain(index, rev, NULL_REV)
  const ranges = {
    starts: revs.map((one) => index.dataPosition(one)),
    ends: revs.map((one) => index.dataPosition(one) + index.compressedLength(one)),
  }
  const stored = revs.map((one) => revlog.storedChunk(one).slice())
  const plain = stored.map((chunk) => decompressChunk(chunk))
  const patched = (): Uint8Array =>
    start === 'full'
      ? applyDeltas(plain[0] ?? NO_BYTES, plain.slice(1))
      : applyDeltas(NO_BYTES, plain)
  const text = patched()
  const [p1, p2] = [revlog.node(index.p1(rev)), revlog.node(index.p2(rev))]
  const readEach = (): void => {
    clear()
    for (const one of revs) revlog.storedChunk(one)
  }
  return [
    {
      title: 'full',
      run: () => {
        clear()
        revlog.rawText(rev)
      },
    },
    { title: 'deltachain', run: () => deltaChain(index, rev, NULL_REV) },
    { title: 'read', run: readEach },
    { title: 'slice-sparse-chain', run: () => sliceRanges(ranges) },
    {
      title: 'rawchunks',
      run: () => {
        clear()
        revlog.storedChunks(revs)
      },
    },
    {
      title: 'decompress',
      run: () => {
        for (const chunk of stored) decompressChunk(chunk)
      },
    },
    { title: 'patch', run: patched },
    { title: 'hash', run: () => hashText(p1, p2, text) },
  ]
}
