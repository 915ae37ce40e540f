/**
 * A small part of Mercurial's template language: text, escapes, and `{keyword|filter|...}` from a
 * fixed list. A template is compiled once. Anything else in braces is refused, never printed empty.
 */
import { branchOf } from '../changelog/changeset.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, stripBytes, utf8ByteString } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import { type HgDate, hgDate, isoDate, plainDate, rfc3339Date, shortDate } from './dates.ts'
import {
  descriptionOf,
  firstLine,
  type LogEntry,
  label,
  shortHex,
  shownParents,
} from './log-entry.ts'

/** Turns an entry into text. */
export type Template = (entry: LogEntry) => ByteString

/** A keyword's value: text, or a date that a filter may still form. */
type Value = ByteString | HgDate

const KEYWORDS: Readonly<Record<string, (entry: LogEntry) => Value>> = {
  rev: ({ rev }) => `${rev}`,
  node: ({ rev, context }) => context.history.nodeHex(rev),
  author: ({ changeset, context }) => context.toLocal(changeset.user),
  user: ({ changeset, context }) => context.toLocal(changeset.user),
  // Fractions go towards zero here, and down in the default form.
  date: ({ changeset: { time, timezoneSeconds } }) => ({ time: Math.trunc(time), timezoneSeconds }),
  desc: descriptionOf,
  branch: ({ changeset, context }) => context.toLocal(branchOf(changeset)),
  files: ({ changeset }) => changeset.files.join(' '),
  tags: ({ rev, context }) => (rev === NULL_REV ? '' : context.names.tags(rev).join(' ')),
  bookmarks: ({ rev, context }) => context.names.bookmarks(rev).join(' '),
  parents: (entry) =>
    shownParents(entry)
      .map((parent) => `${label(entry.context, parent)} `)
      .join(''),
  p1rev: (entry) => `${parentOf(entry, 'p1')}`,
  p2rev: (entry) => `${parentOf(entry, 'p2')}`,
  p1node: (entry) => parentNodeOf(entry, 'p1'),
  p2node: (entry) => parentNodeOf(entry, 'p2'),
}

const TEXT_FILTERS: Readonly<Record<string, (text: ByteString) => ByteString>> = {
  short: shortHex,
  firstline: (text) => firstLine(text),
  strip: stripBytes,
}

const DATE_FILTERS: Readonly<Record<string, (date: HgDate) => string>> = {
  hgdate: hgDate,
  isodate: isoDate,
  shortdate: shortDate,
  rfc3339date: rfc3339Date,
}

/** The keywords and filters that are understood, for help texts. */
export const TEMPLATE_KEYWORDS: readonly string[] = Object.keys(KEYWORDS)
export const TEMPLATE_FILTERS: readonly string[] = [
  ...Object.keys(TEXT_FILTERS),
  ...Object.keys(DATE_FILTERS),
]

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '{': '{',
  // As Mercurial: outside an expression this brace is text and the backslash stays.
  '}': '\\}',
}

/**
 * Compiles a template. Throws `unsupported` for a keyword, filter, expression or escape that is not
 * listed and for a template without any expression, which Mercurial may take for a style's name.
 */
export function compileTemplate(source: string): Template {
  if (!source.includes('{')) {
    throw new RevlogError(
      'unsupported',
      `template '${source}' has no {keyword}: styles are not supported yet`,
    )
  }
  const parts: Template[] = []
  for (const [whole, text, escaped, expression] of source.matchAll(
    /([^\\{]+)|\\([\s\S]?)|\{([^{}]*)\}|\{/g,
  )) {
    if (text !== undefined) parts.push(constant(text))
    else if (escaped !== undefined) parts.push(constant(unescapeChar(whole, escaped)))
    else if (expression !== undefined) parts.push(compileExpression(expression))
    else throw new RevlogError('usage', `template '${source}': a { has no end`)
  }
  return (entry) => parts.map((part) => part(entry)).join('')
}

function unescapeChar(whole: string, escaped: string): string {
  const plain = Object.hasOwn(ESCAPES, escaped) ? ESCAPES[escaped] : undefined
  if (plain !== undefined) return plain
  throw new RevlogError('unsupported', `template escape '${whole}' is not supported yet`)
}

function constant(text: string): Template {
  const bytes = utf8ByteString(text)
  return () => bytes
}

function compileExpression(expression: string): Template {
  const [name = '', ...filters] = expression.split('|').map((word) => word.trim())
  const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined
  if (keyword === undefined) throw refusal('keyword', name, TEMPLATE_KEYWORDS)
  const steps = filters.map(compileFilter)
  return (entry) => {
    const value = steps.reduce((current: Value, step) => step(current), keyword(entry))
    return typeof value === 'string' ? value : plainDate(value)
  }
}

function compileFilter(name: string): (value: Value) => Value {
  const ofText = Object.hasOwn(TEXT_FILTERS, name) ? TEXT_FILTERS[name] : undefined
  const ofDate = Object.hasOwn(DATE_FILTERS, name) ? DATE_FILTERS[name] : undefined
  if (ofText !== undefined)
    return (value) => ofText(typeof value === 'string' ? value : plainDate(value))
  if (ofDate !== undefined)
    return (value) => (typeof value === 'string' ? refuseText(name) : ofDate(value))
  throw refusal('filter', name, TEMPLATE_FILTERS)
}

function refuseText(filter: string): never {
  throw new RevlogError('unsupported', `template filter '${filter}' is for dates`)
}

function refusal(kind: string, name: string, known: readonly string[]): RevlogError {
  return new RevlogError(
    'unsupported',
    `template ${kind} '${name}' is not supported yet, only ${known.join(', ')}`,
  )
}

function parentOf({ rev, context }: LogEntry, which: 'p1' | 'p2'): number {
  return rev === NULL_REV ? NULL_REV : context.history[which](rev)
}

function parentNodeOf(entry: LogEntry, which: 'p1' | 'p2'): string {
  return entry.context.history.nodeHex(parentOf(entry, which))
}
