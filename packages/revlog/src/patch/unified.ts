/**
 * The body of a patch in unified form: the lines that are replaced with some lines around them, as
 * hg and GNU diff print it. Which lines are replaced is the diff's choice.
 */
import { diffHunks, type Hunk } from '../delta/index.ts'
import { type ByteString, bufferOver } from '../format/byte-string.ts'

const NEWLINE = 0x0a

/** Said after a line that ends without a newline, which only a text's last line can. */
const UNENDED = '\\ No newline at end of file\n'

/** A replacement with the lines, counted from 0, at which it starts. */
interface PlacedHunk extends Hunk {
  readonly aLine: number
  readonly bLine: number
  /** Lines that are the same in both texts between the hunk before and this one. */
  readonly linesBefore: number
}

/** The hunks that turn `before` into `after`; empty when they are equal. */
export function unifiedHunks(
  before: Uint8Array,
  after: Uint8Array,
  contextLines: number,
): ByteString {
  const a = bufferOver(before)
  const b = bufferOver(after)
  let text = ''
  for (const group of groupHunks(placeHunks(a, b), contextLines)) {
    text += printGroup({ a, b, group }, contextLines)
  }
  return text
}

function placeHunks(a: Buffer, b: Buffer): PlacedHunk[] {
  const placed: PlacedHunk[] = []
  let [aLine, bLine, aAt] = [0, 0, 0]
  for (const hunk of diffHunks(a, b)) {
    const linesBefore = countLines(a, aAt, hunk.aFrom)
    aLine += linesBefore
    bLine += linesBefore
    placed.push({ ...hunk, aLine, bLine, linesBefore })
    aLine += countLines(a, hunk.aFrom, hunk.aTo)
    bLine += countLines(b, hunk.bFrom, hunk.bTo)
    aAt = hunk.aTo
  }
  return placed
}

/** Lines in a range that starts one; a last line without a newline is one too. */
function countLines(text: Buffer, from: number, to: number): number {
  let lines = 0
  for (let at = from; at < to; lines++) {
    const newline = text.indexOf(NEWLINE, at)
    at = newline < 0 ? to : newline + 1
  }
  return lines
}

/** Hunks whose surroundings touch or overlap are printed as one. */
function groupHunks(hunks: readonly PlacedHunk[], contextLines: number): PlacedHunk[][] {
  const groups: PlacedHunk[][] = []
  for (const hunk of hunks) {
    const group = groups.at(-1)
    if (group === undefined || hunk.linesBefore > 2 * contextLines) groups.push([hunk])
    else group.push(hunk)
  }
  return groups
}

interface Group {
  readonly a: Buffer
  readonly b: Buffer
  readonly group: readonly PlacedHunk[]
}

function printGroup({ a, b, group }: Group, contextLines: number): ByteString {
  const [first] = group
  const last = group.at(-1)
  if (first === undefined || last === undefined) return ''
  const start = stepBack(a, first.aFrom, contextLines)
  const end = stepForward(a, last.aTo, contextLines)
  let body = ''
  let at = start.at
  for (const { aFrom, aTo, bFrom, bTo } of group) {
    body +=
      prefixed(' ', a, at, aFrom) + prefixed('-', a, aFrom, aTo) + prefixed('+', b, bFrom, bTo)
    at = aTo
  }
  body += prefixed(' ', a, at, end.at)
  const around = start.lines + end.lines
  const aLines = last.aLine - first.aLine + countLines(a, last.aFrom, last.aTo) + around
  const bLines = last.bLine - first.bLine + countLines(b, last.bFrom, last.bTo) + around
  const aRange = range(first.aLine - start.lines, aLines)
  return `@@ -${aRange} +${range(first.bLine - start.lines, bLines)} @@\n${body}`
}

function range(line: number, lines: number): string {
  return `${lines === 0 ? line : line + 1},${lines}`
}

interface Place {
  readonly at: number
  /** Lines that were gone over. */
  readonly lines: number
}

// Some lines, seldom long: a loop over bytes is done before a search has begun.

function stepBack(text: Buffer, from: number, limit: number): Place {
  let [at, lines] = [from, 0]
  while (lines < limit && at > 0) {
    at--
    while (at > 0 && text[at - 1] !== NEWLINE) at--
    lines++
  }
  return { at, lines }
}

function stepForward(text: Buffer, from: number, limit: number): Place {
  let [at, lines] = [from, 0]
  while (lines < limit && at < text.length) {
    while (at < text.length && text[at] !== NEWLINE) at++
    if (at < text.length) at++
    lines++
  }
  return { at, lines }
}

/** The lines of a range, each behind `mark`. */
function prefixed(mark: string, text: Buffer, from: number, to: number): ByteString {
  if (from === to) return ''
  const ended = text[to - 1] === NEWLINE
  const lines = text.toString('latin1', from, ended ? to - 1 : to)
  return `${mark}${lines.replaceAll('\n', `\n${mark}`)}\n${ended ? '' : UNENDED}`
}
