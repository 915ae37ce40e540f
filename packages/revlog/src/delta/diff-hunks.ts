/**
 * What has to be replaced to turn one text into another, in whole lines, with an algorithm of our
 * own: trim what the ends share, then match the lines between. It serves deltas and patches alike.
 */
import { bufferOver } from '../format/byte-string.ts'
import { commonPrefixLength, commonSuffixLength } from './common-ends.ts'
import { type InternedPair, internLines } from './intern-lines.ts'
import { matchLines } from './match-lines.ts'

const NEWLINE = 0x0a

/** A replacement: `aFrom..aTo` of the base becomes `bFrom..bTo` of the target, in bytes. */
export interface Hunk {
  readonly aFrom: number
  readonly aTo: number
  readonly bFrom: number
  readonly bTo: number
}

/** The replacements that make `target` of `base`, in order; none when they are equal. */
export function diffHunks(base: Uint8Array, target: Uint8Array): readonly Hunk[] {
  const a = bufferOver(base)
  const b = bufferOver(target)
  const prefix = commonPrefixLength(a, b)
  if (prefix === a.length && prefix === b.length) return []
  const from = prefix === 0 ? 0 : a.lastIndexOf(NEWLINE, prefix - 1) + 1
  const suffix = alignedSuffix(a, b, Math.min(a.length, b.length) - from)
  const whole = { aFrom: from, aTo: a.length - suffix, bFrom: from, bTo: b.length - suffix }
  return whole.aFrom === whole.aTo || whole.bFrom === whole.bTo ? [whole] : split(a, b, whole)
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
