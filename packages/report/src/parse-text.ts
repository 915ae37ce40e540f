/**
 * Reads the text format back, from our own reports and from change messages that people edited:
 * prose between the tables is passed over, `~~~~~` after a baseline and ` seconds` after a number
 * are accepted, and a heading that a web page broke in two is joined. A number that cannot be read
 * is a fault with its line, never a missing row.
 */
import type { Levels } from '@assay/model'
import { garbledText, type TextFault } from './errors.ts'
import { applyHeading, type HeadingState, type HeadingStep } from './headings.ts'
import { commentMark } from './text-verdicts.ts'
import { readQuoted } from './words.ts'

/** A printed row. `line` counts from 1. */
export interface TextRow {
  readonly line: number
  readonly label: string
  /** What was printed, in seconds unless the report says otherwise; null without a value. */
  readonly value: number | null
  /** The printed change in percent and difference, where they were printed. */
  readonly changePercent: number | null
  readonly difference: number | null
  /** `measured`, or what stands in the place of the value. */
  readonly state: 'measured' | 'failed' | 'unsupported' | 'not measured'
  readonly reason: string | null
}

/** Rows under the headings in force: the first row is the baseline. */
export interface TextBlock {
  readonly line: number
  readonly headings: Levels
  readonly rows: readonly TextRow[]
}

/** What a text holds, and the lines that look like rows but cannot be read. */
export interface TextReport {
  readonly blocks: readonly TextBlock[]
  readonly faults: readonly TextFault[]
}

interface Line {
  readonly number: number
  readonly text: string
}

const levelOf = (text: string): string | null => {
  const trimmed = text.trim()
  const word = readQuoted(trimmed)
  if (word !== null && word.rest === '') return word.word
  return trimmed === '' ? null : trimmed
}

/** `## key = level`; null if the line is no heading. Headings of prose have no ` = `. */
const readHeading = (text: string): HeadingStep | null => {
  const content = /^\s*#+\s*(\S.*)$/su.exec(text)?.[1]
  if (content === undefined) return null
  const word = readQuoted(content)
  const key = word?.word ?? /^[^\s="]+/u.exec(content)?.[0]
  if (key === undefined) return null
  const rest = word?.rest ?? content.slice(key.length)
  const level = /^\s*=(?:\s+(.*))?$/su.exec(rest)
  return level === null ? null : { key, level: levelOf(level[1] ?? '') }
}

/** Web pages turn `issue6528` into a link and break `# benchmark.variants.` off before it. */
const joinBroken = (lines: readonly string[]): Line[] => {
  const joined: Line[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const text = lines[at] ?? ''
    const next = lines[at + 1] ?? ''
    const isBroken = /^\s*#+\s+\S+\.\s*$/u.test(text) && /^\s*[^\s#=]+ = \S/u.test(next)
    joined.push({ number: at + 1, text: isBroken ? text.trimEnd() + next.trimStart() : text })
    if (isBroken) at += 1
  }
  return joined
}

const splitLabel = (text: string): { readonly label: string; readonly rest: string } | null => {
  const trimmed = text.trim()
  const word = readQuoted(trimmed)
  if (word !== null) {
    return word.rest.startsWith(': ') ? { label: word.word, rest: word.rest.slice(2) } : null
  }
  const colon = trimmed.indexOf(': ')
  return colon < 1 ? null : { label: trimmed.slice(0, colon), rest: trimmed.slice(colon + 2) }
}

const measured =
  /^(-?\d+\.\d+)(?: seconds)?(?: ~+)?(?: \(([+-]\d+(?:\.\d+)?)%(?:, ([+-]\d+(?:\.\d+)?))?\))?(?: seconds)?(?: ~+)?$/u
const unmeasured = /^(failed|unsupported|not measured)(?: \((.*)\))?$/su

const numberOrNull = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text)

const stateNamed = (name: string | undefined): TextRow['state'] =>
  name === 'failed' || name === 'unsupported' ? name : 'not measured'

const readRow = ({ number, text }: Line): TextRow | null => {
  const split = splitLabel(text)
  if (split === null) return null
  const { label, rest } = split
  const found = measured.exec(rest)
  if (found !== null) {
    const [, value, percent, difference] = found
    return {
      line: number,
      label,
      value: numberOrNull(value),
      changePercent: numberOrNull(percent),
      difference: numberOrNull(difference),
      state: 'measured',
      reason: null,
    }
  }
  const missing = unmeasured.exec(rest)
  if (missing === null) return null
  const empty = { value: null, changePercent: null, difference: null }
  return {
    line: number,
    label,
    ...empty,
    state: stateNamed(missing[1]),
    reason: missing[2] ?? null,
  }
}

/**
 * Whether a line that could not be read was meant to be a row, rather than prose. Right below a
 * heading or a row, one word and what may be a value is enough: prose is longer.
 */
const looksLikeRow = (text: string, isBelowTable: boolean): boolean => {
  const split = splitLabel(text)
  if (split === null) return false
  const { label, rest } = split
  const isShort = !/\s/u.test(label) && /^\S+(?: \S+)?$/u.test(rest.trim())
  if (isBelowTable && isShort) return true
  const endsLikeRow = /\([+-][^()]*%[^()]*\)(?: seconds)?$|~~~$/u.test(rest)
  const startsLikeRow = /^-?\d+\.(?!\d*(?:\s|$))/u.test(rest)
  const isWord = !/\s/u.test(label) && /^[\w.,+-]*\d[\w.,+-]*$/u.test(rest)
  return endsLikeRow || startsLikeRow || isWord
}

interface OpenBlock {
  readonly line: number
  readonly headings: Levels
  readonly rows: TextRow[]
}

/** Reads what can be read, and lists what cannot. */
export const readReportText = (text: string): TextReport => {
  const state: HeadingState = new Map()
  const blocks: OpenBlock[] = []
  const faults: TextFault[] = []
  let open: OpenBlock | null = null
  let isBelowTable = false
  for (const line of joinBroken(text.split(/\r?\n/u))) {
    if (line.text.trimStart().startsWith(commentMark)) continue
    const heading = readHeading(line.text)
    if (heading !== null) {
      applyHeading(state, heading)
      open = null
      isBelowTable = true
      continue
    }
    const row = readRow(line)
    const isFault: boolean = row === null && state.size > 0 && looksLikeRow(line.text, isBelowTable)
    isBelowTable = row !== null || isFault
    if (row !== null) {
      if (open === null) {
        open = { line: line.number, headings: Object.fromEntries(state), rows: [] }
        blocks.push(open)
      }
      open.rows.push(row)
    } else if (isFault) {
      const problem = 'not a number that can be read'
      faults.push({ line: line.number, text: line.text.trim(), problem })
    }
  }
  return { blocks, faults }
}

/**
 * The blocks of a printed report; throws `report-text-garbled` if any of its rows is garbled. `file`
 * is what the error calls it.
 */
export const parseReportText = (text: string, file = 'report'): readonly TextBlock[] => {
  const { blocks, faults } = readReportText(text)
  if (faults.length > 0) throw garbledText(file, faults)
  return blocks
}
