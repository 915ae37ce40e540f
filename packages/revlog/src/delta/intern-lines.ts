/**
 * Splits two texts into lines (each with its newline) and gives equal lines equal numbers. Lines
 * are compared byte by byte, not by hash alone, so the numbers can be trusted without a re-check.
 */

/** The lines of one text. */
export interface InternedLines {
  /** Where each line starts, and one more: where the last ends. */
  readonly starts: Int32Array
  /** The number of each line's content; equal lines have equal numbers in both texts. */
  readonly ids: Int32Array
}

/** Both texts, and how many different lines they have together. */
export interface InternedPair {
  readonly a: InternedLines
  readonly b: InternedLines
  readonly distinct: number
}

const NEWLINE = 0x0a

/** FNV-1a, 32 bits (RFC 9923). */
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** The lines of two texts under common numbers. */
export function internLines(a: Buffer, b: Buffer): InternedPair {
  const aStarts = lineStarts(a)
  const bStarts = lineStarts(b)
  const lines = aStarts.length + bStarts.length
  const table = new LineTable(lines)
  const aIds = table.intern(a, aStarts)
  const bIds = table.intern(b, bStarts)
  return {
    a: { starts: aStarts, ids: aIds },
    b: { starts: bStarts, ids: bIds },
    distinct: table.distinct,
  }
}

function lineStarts(text: Buffer): Int32Array {
  const starts: number[] = [0]
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf(NEWLINE, at)
    at = newline === -1 ? text.length : newline + 1
    starts.push(at)
  }
  return Int32Array.from(starts)
}

/** An open-addressing table from line content to number; it lives for one pair of texts. */
class LineTable {
  distinct = 0
  readonly #slots: Int32Array
  readonly #mask: number
  readonly #texts: Buffer[] = []
  readonly #froms: number[] = []
  readonly #tos: number[] = []

  constructor(lines: number) {
    let size = 16
    while (size < lines * 2) size *= 2
    this.#slots = new Int32Array(size).fill(-1)
    this.#mask = size - 1
  }

  intern(text: Buffer, starts: Int32Array): Int32Array {
    const ids = new Int32Array(Math.max(0, starts.length - 1))
    for (let line = 0; line < ids.length; line += 1) {
      ids[line] = this.#idOf(text, starts[line] ?? 0, starts[line + 1] ?? 0)
    }
    return ids
  }

  #idOf(text: Buffer, from: number, to: number): number {
    let hash = FNV_OFFSET
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), FNV_PRIME)
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = this.#slots[slot] ?? -1
      if (id === -1) {
        this.#slots[slot] = this.distinct
        this.#texts.push(text)
        this.#froms.push(from)
        this.#tos.push(to)
        this.distinct += 1
        return this.distinct - 1
      }
      const knownFrom = this.#froms[id] ?? 0
      const knownTo = this.#tos[id] ?? 0
      if (knownTo - knownFrom !== to - from) continue
      if (this.#texts[id]?.compare(text, from, to, knownFrom, knownTo) === 0) return id
    }
  }
}
