/**
 * One changeset as log shows it: everything that the default form or a template may ask for, each
 * worked out only when asked. Text comes out in the local encoding.
 */
import { branchOf, type Changeset, DEFAULT_BRANCH } from '../changelog/changeset.ts'
import { type ByteString, stripBytes } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { ChangesetHistory } from '../repository/history.ts'
import { defaultDate } from './dates.ts'
import type { ToLocal } from './local-encoding.ts'
import type { LogNames } from './log-names.ts'

/** What log needs to show a changeset. */
export interface LogContext {
  readonly history: ChangesetHistory
  readonly names: LogNames
  readonly toLocal: ToLocal
}

/** A changeset with its revision number. */
export interface LogEntry {
  readonly rev: number
  readonly changeset: Changeset
  readonly context: LogContext
}

const SHORT_HEX_LENGTH = 12

/** A node's first twelve digits, as Mercurial abbreviates. */
export function shortHex(hex: string): string {
  return hex.slice(0, SHORT_HEX_LENGTH)
}

/** The parents that are worth showing: none if the only parent is the revision before. */
export function shownParents({ rev, context }: LogEntry): readonly number[] {
  if (rev === NULL_REV) return []
  const p1 = context.history.p1(rev)
  const p2 = context.history.p2(rev)
  if (p2 !== NULL_REV) return [p1, p2]
  return p1 === rev - 1 ? [] : [p1]
}

/** The description without surrounding white space. */
export function descriptionOf({ changeset, context }: LogEntry): ByteString {
  return context.toLocal(stripBytes(changeset.description))
}

/** Text up to its first line break. */
export function firstLine(text: ByteString): ByteString {
  return /^[^\r\n]*/.exec(text)?.[0] ?? ''
}

/** A changeset in the default form of `hg log`, with the empty line after it. */
export function defaultForm(entry: LogEntry): ByteString {
  const { rev, changeset, context } = entry
  const { toLocal, names } = context
  const branch = branchOf(changeset)
  let text = `changeset:   ${label(context, rev)}\n`
  if (branch !== DEFAULT_BRANCH) text += `branch:      ${toLocal(branch)}\n`
  for (const name of names.bookmarks(rev)) text += `bookmark:    ${name}\n`
  for (const name of names.tags(rev)) text += `tag:         ${name}\n`
  for (const parent of shownParents(entry)) text += `parent:      ${label(context, parent)}\n`
  text += `user:        ${toLocal(changeset.user)}\n`
  text += `date:        ${defaultDate(changeset)}\n`
  const description = descriptionOf(entry)
  if (description !== '') text += `summary:     ${firstLine(description)}\n`
  return `${text}\n`
}

/** `rev:node`, abbreviated. */
export function label(context: LogContext, rev: number): string {
  return `${rev}:${shortHex(context.history.nodeHex(rev))}`
}
