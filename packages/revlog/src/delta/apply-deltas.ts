/**
 * Applies stored deltas to a text. A delta is a run of hunks `start, end, length` (three big-endian
 * 32-bit numbers) and `length` bytes that replace `start..end` of the text it was made against.
 * Every range is checked before memory is taken; whether the result is the right text is for the
 * reader to check by its hash.
 */
import { RevlogError } from '../errors.ts'

/** Bytes of a hunk before its data: start, end, and length of the data. */
export const HUNK_HEAD_BYTES = 12

/** Ranges shorter than this are copied by a loop: a call of `set` costs more. */
const LOOP_COPY_BYTES = 48

/** The index stores lengths as signed 32-bit numbers: no text is longer. */
const MAX_TEXT_BYTES = 0x7fff_ffff

// Two buffers that take turns as source and target: a long chain of large texts would otherwise
// spend most of its time in page faults and garbage collection.
let spare: Uint8Array = new Uint8Array(0)
let other: Uint8Array = new Uint8Array(0)

/** Buffers larger than this are not kept for the next call. */
const KEPT_BYTES = 16 * 1024 * 1024

/**
 * `base` with the deltas applied in order, in memory of its own (`base` itself when there are
 * none). Throws RevlogError `corrupt`.
 */
export function applyDeltas(base: Uint8Array, deltas: readonly Uint8Array[]): Uint8Array {
  return applyDeltasInTurn(base, deltas.length, (at) => deltas[at] ?? NO_BYTES)
}

/**
 * The same with each delta asked for when the one before it was applied, so that they may all be
 * views of one buffer. The base must not be one.
 */
export function applyDeltasInTurn(
  base: Uint8Array,
  count: number,
  deltaAt: (at: number) => Uint8Array,
): Uint8Array {
  let text = base
  for (let at = 0; at < count; at++) {
    const delta = deltaAt(at)
    const length = patchedLength(text.length, delta)
    const last = at === count - 1
    const target = last ? new Uint8Array(length) : reserveSpare(length)
    patch(text, delta, target)
    text = last ? target : target.subarray(0, length)
  }
  if (spare.length > KEPT_BYTES) spare = new Uint8Array(0)
  if (other.length > KEPT_BYTES) other = new Uint8Array(0)
  return text
}

const NO_BYTES = new Uint8Array(0)

/**
 * More bytes than a delta between texts of these lengths needs: every hunk takes at least one byte
 * away or adds one, save for a few that do nothing.
 */
export function maxDeltaBytes(baseLength: number, textLength: number): number {
  return (baseLength + textLength + IDLE_HUNKS) * HUNK_HEAD_BYTES + textLength
}

/** Hunks without effect that are let pass, as between two empty texts. */
const IDLE_HUNKS = 8

/** The buffer that does not hold the current text. */
function reserveSpare(length: number): Uint8Array {
  const free = other
  other = spare
  spare = free.length >= length ? free : new Uint8Array(Math.max(length, free.length * 2))
  return spare
}

/** The length of the patched text; checks every range of the delta. */
function patchedLength(baseLength: number, delta: Uint8Array): number {
  let at = 0
  let consumed = 0
  let length = 0
  while (at < delta.length) {
    if (at + HUNK_HEAD_BYTES > delta.length) throw corrupt('its last hunk is cut short')
    const start = uint32(delta, at)
    const end = uint32(delta, at + 4)
    const added = uint32(delta, at + 8)
    if (start < consumed || end < start || end > baseLength) {
      throw corrupt(`a hunk replaces ${start}..${end} of a text of ${baseLength} bytes`)
    }
    at += HUNK_HEAD_BYTES + added
    if (at > delta.length) throw corrupt('its last hunk is cut short')
    length += start - consumed + added
    consumed = end
  }
  length += baseLength - consumed
  if (length > MAX_TEXT_BYTES) throw corrupt(`it makes a text of ${length} bytes`)
  return length
}

function patch(base: Uint8Array, delta: Uint8Array, target: Uint8Array): void {
  let at = 0
  let consumed = 0
  let written = 0
  while (at < delta.length) {
    const start = uint32(delta, at)
    const added = uint32(delta, at + 8)
    written = copy(base, { from: consumed, to: start }, { target, at: written })
    consumed = uint32(delta, at + 4)
    at += HUNK_HEAD_BYTES
    written = copy(delta, { from: at, to: at + added }, { target, at: written })
    at += added
  }
  copy(base, { from: consumed, to: base.length }, { target, at: written })
}

/** Copies a range and gives the position after it. */
function copy(
  source: Uint8Array,
  range: { readonly from: number; readonly to: number },
  into: { readonly target: Uint8Array; readonly at: number },
): number {
  const { from, to } = range
  const { target, at } = into
  const length = to - from
  if (length >= LOOP_COPY_BYTES) target.set(source.subarray(from, to), at)
  else for (let i = 0; i < length; i += 1) target[at + i] = source[from + i] ?? 0
  return at + length
}

function uint32(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0)) >>>
    0
  )
}

function corrupt(what: string): RevlogError {
  return new RevlogError(
    'corrupt',
    `a stored delta does not fit its base: ${what}; run \`hg verify\` on the repository`,
  )
}
