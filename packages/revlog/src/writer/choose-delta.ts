/**
 * How a new revision is stored: as a delta against which revision, or as a full text. The
 * candidates are our own choice; a delta is accepted by the limits that Mercurial keeps (6.3), so that
 * chains stay as short and as local as those that it writes itself.
 */
import { type CompressionName, compressChunk } from '../compression/index.ts'
import { computeDelta } from '../delta/index.ts'
import { NULL_REV } from '../format/constants.ts'
import { type DeltaIndex, NOT_A_SNAPSHOT } from './delta-index.ts'

/** What the choice looks at. */
export interface DeltaContext {
  readonly index: DeltaIndex
  readonly compression: CompressionName
  /** Whether intermediate snapshots are made (sparse-revlog); needs generaldelta. */
  readonly sparse: boolean
  /** The text of an earlier revision. */
  readonly textOf: (rev: number) => Uint8Array
  /** Try the base of a delta that came with the text before all others. */
  readonly preferGiven?: boolean
}

/** A delta that came with the text: it need not be computed. */
export interface GivenDelta {
  readonly baseRev: number
  readonly delta: Uint8Array
}

/** The revision to store. */
export interface NewText {
  readonly text: Uint8Array
  readonly p1: number
  readonly p2: number
  readonly given?: GivenDelta
}

/** The chunk to store and the base to note in its entry. */
export interface StoredForm {
  readonly chunk: Uint8Array
  readonly baseRev: number
}

/** Mercurial's limits: chain bytes and span in multiples of the text, deltas in a sparse chain. */
const MAX_CHAIN_BYTES_RATIO = 2
const MAX_SPAN_RATIO = 4
const MAX_SPARSE_CHAIN_LENGTH = 1_000

/** A text this many times smaller than the new one is no base worth trying. */
const MIN_BASE_RATIO = 500

/** The best accepted form of the next revision. */
export function chooseDelta(context: DeltaContext, target: NewText): StoredForm {
  for (const group of candidateGroups(context, target)) {
    let best: StoredForm | undefined
    for (const base of group) {
      const chunk = acceptedDelta(context, target, base)
      if (chunk !== undefined && chunk.length < (best?.chunk.length ?? Number.POSITIVE_INFINITY)) {
        best = { chunk, baseRev: base }
      }
    }
    if (best !== undefined) return noteBase(context, best)
  }
  const chunk = compressChunk(target.text, context.compression)
  return { chunk, baseRev: context.index.length }
}

/** Without generaldelta an entry names the chain's start, not the delta's own base. */
function noteBase({ index }: DeltaContext, form: StoredForm): StoredForm {
  return index.generaldelta ? form : { ...form, baseRev: index.chainStart(form.baseRev) }
}

/** Bases to try; the smallest accepted delta of the first group that has one is taken. */
function* candidateGroups(context: DeltaContext, target: NewText): Generator<readonly number[]> {
  const { index } = context
  const previous = index.length - 1
  if (previous < 0) return
  if (!index.generaldelta) {
    yield [previous]
    return
  }
  const { given } = target
  if (context.preferGiven === true && given !== undefined && given.baseRev !== NULL_REV) {
    yield [given.baseRev]
  }
  const parents = [...new Set([target.p1, target.p2])].filter((rev) => rev !== NULL_REV)
  if (parents.length > 0) yield parents
  if (context.sparse) for (const snapshots of snapshotGroups(index, parents)) yield snapshots
  if (!parents.includes(previous)) yield [previous]
}

/** The snapshots in the parents' chains, deepest level first. */
function snapshotGroups(index: DeltaIndex, parents: readonly number[]): readonly number[][] {
  const levels: Set<number>[] = []
  for (const parent of parents) {
    for (let rev = parent; ; rev = index.deltaParent(rev)) {
      const depth = index.snapshotDepth(rev)
      if (depth !== NOT_A_SNAPSHOT && !parents.includes(rev)) {
        levels[depth] ??= new Set()
        levels[depth].add(rev)
      }
      if (index.chainStart(rev) === rev) break
    }
  }
  return levels
    .filter((level) => level !== undefined)
    .map((level) => [...level])
    .reverse()
}

/** The delta's chunk against `base`, if the limits accept it. */
function acceptedDelta(
  context: DeltaContext,
  target: NewText,
  base: number,
): Uint8Array | undefined {
  const { index, sparse } = context
  const textLength = target.text.length
  if (index.uncompressedLength(base) * MIN_BASE_RATIO < textLength) return undefined
  if (sparse && index.chainLength(base) + 1 > MAX_SPARSE_CHAIN_LENGTH) return undefined
  if (index.chainBytes(base) > textLength * MAX_CHAIN_BYTES_RATIO) return undefined
  const chunk = compressChunk(deltaAgainst(context, target, base), context.compression)
  if (chunk.length > textLength) return undefined
  if (index.chainBytes(base) + chunk.length > textLength * MAX_CHAIN_BYTES_RATIO) return undefined
  const span = index.dataLength + chunk.length - index.offset(index.chainStart(base))
  if (!sparse && span > textLength * MAX_SPAN_RATIO) return undefined
  if (!isSnapshotToo(context, target, base)) return chunk
  return goodSnapshot(index, base, { chunkLength: chunk.length, textLength }) ? chunk : undefined
}

function deltaAgainst(
  { textOf }: DeltaContext,
  { text, given }: NewText,
  base: number,
): Uint8Array {
  return given?.baseRev === base ? given.delta : computeDelta(textOf(base), text)
}

/** Whether the new revision would be an intermediate snapshot. */
function isSnapshotToo({ index, sparse }: DeltaContext, target: NewText, base: number): boolean {
  if (!sparse || base === target.p1 || base === target.p2) return false
  return index.snapshotDepth(base) !== NOT_A_SNAPSHOT
}

/** Each level of snapshots has at most half the size of the level before, and is no larger than its base. */
function goodSnapshot(index: DeltaIndex, base: number, sizes: SnapshotSizes): boolean {
  const depth = index.snapshotDepth(base) + 1
  const { chunkLength, textLength } = sizes
  return chunkLength <= textLength / 2 ** depth && chunkLength <= index.compressedLength(base)
}

interface SnapshotSizes {
  readonly chunkLength: number
  readonly textLength: number
}
