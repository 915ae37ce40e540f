/**
 * Makes the delta that turns one text into another, in whole lines, with an algorithm of our own:
 * trim what the ends share, then match the lines between. Whether a delta is worth storing is left
 * to the writer.
 */
import { commonPrefixLength, commonSuffixLength } from './common-ends.ts'
import { type InternedPair, internLines } from './intern-lines.ts'
import { matchLines } from './match-lines.ts'

const NEWLINE = 0x0a

/** A replacement: `aFrom..aTo` of the base becomes `bFrom..bTo` of the target, in bytes. */
interface Hunk {
  readonly aFrom: number
  readonly aTo: number
  readonly bFrom: number
  readonly bTo: number
}

/** The delta for which `applyDeltas(base, [delta])` is `target`; empty when they are equal. */
export function computeDelta(base: Uint8Array, target: Uint8Array): Uint8Array {
  const a = Buffer.from(base.buffer, base.byteOffset, base.byteLength)
  const b = Buffer.from(target.buffer, target.byteOffset, target.byteLength)
  const prefix = commonPrefixLength(a, b)
  if (prefix === a.length && prefix === b.length) return new Uint8Array(0)
  const from = prefix === 0 ? 0 : a.lastIndexOf(NEWLINE, prefix - 1) + 1
  const suffix = alignedSuffix(a, b, Math.min(a.length, b.length) - from)
  const whole = { aFrom: from, aTo: a.length - suffix, bFrom: from, bTo: b.length - suffix }
  return serialize(
    b,
    whole.aFrom === whole.aTo || whole.bFrom === whole.bTo ? [whole] : split(a, b, whole),
  )
}

/** Bytes shared at the end, of which the first starts a line in both texts. */
function alignedSuffix(a: Buffer, b: Buffer, limit: number): number {
  const suffix = commonSuffixLength(a, b, limit)
  if (startsLine(a, a.length - suffix) && startsLine(b, b.length - suffix)) return suffix
  const newline = a.indexOf(NEWLINE, a.length - suffix)
  return newline === -1 ? 0 : a.length - newline - 1
}

function startsLine(text: Buffer, at: number): boolean {
  return at === 0 || text[at - 1] === NEWLINE
}

/** The hunks inside a range that differs at both ends. */
function split(a: Buffer, b: Buffer, whole: Hunk): readonly Hunk[] {
  const pair = internLines(a.subarray(whole.aFrom, whole.aTo), b.subarray(whole.bFrom, whole.bTo))
  const kept = matchLines(pair)
  const hunks: Hunk[] = []
  let aLine = 0
  let bLine = 0
  for (let b = 0; b <= kept.length; b += 1) {
    const a = b === kept.length ? pair.a.ids.length : (kept[b] ?? -1)
    if (a === -1) continue
    if (a > aLine || b > bLine) {
      hunks.push(toBytes(pair, whole, { aFrom: aLine, aTo: a, bFrom: bLine, bTo: b }))
    }
    aLine = a + 1
    bLine = b + 1
  }
  return hunks
}

/** A hunk in lines of the range as one in bytes of the texts. */
function toBytes(pair: InternedPair, whole: Hunk, lines: Hunk): Hunk {
  return {
    aFrom: whole.aFrom + (pair.a.starts[lines.aFrom] ?? 0),
    aTo: whole.aFrom + (pair.a.starts[lines.aTo] ?? 0),
    bFrom: whole.bFrom + (pair.b.starts[lines.bFrom] ?? 0),
    bTo: whole.bFrom + (pair.b.starts[lines.bTo] ?? 0),
  }
}

function serialize(b: Buffer, hunks: readonly Hunk[]): Uint8Array {
  let length = 0
  for (const { bFrom, bTo } of hunks) length += 12 + bTo - bFrom
  const delta = new Uint8Array(length)
  const view = new DataView(delta.buffer)
  let at = 0
  for (const { aFrom, aTo, bFrom, bTo } of hunks) {
    view.setUint32(at, aFrom)
    view.setUint32(at + 4, aTo)
    view.setUint32(at + 8, bTo - bFrom)
    delta.set(b.subarray(bFrom, bTo), at + 12)
    at += 12 + bTo - bFrom
  }
  return delta
}
