/**
 * Changesets in log's forms, for the commands that list some: default, by a template, or with --quiet
 * as `rev:node`.
 */
import type { ByteString } from '../format/byte-string.ts'
import { type ChangesetHistory, historyOf } from '../repository/history.ts'
import type { Repository } from '../repository/open.ts'
import { parseLimit } from './arguments.ts'
import type { CommandContext } from './command.ts'
import { localEncoding } from './local-encoding.ts'
import { defaultForm, type LogEntry, label } from './log-entry.ts'
import { logNames } from './log-names.ts'
import { compileTemplate } from './template.ts'

/** What to print. */
export interface ShownChangesets {
  /** Whose names are shown; it need not be the one that -R names. */
  readonly repository: Repository
  /** Where the changesets are, if not in the repository alone. */
  readonly history?: ChangesetHistory
  /** All of them; at most --limit are printed. */
  readonly revs: readonly number[]
}

/** Prints changesets. */
export function showChangesets(
  { args, io, output, quiet }: CommandContext,
  { repository, history = historyOf(repository), revs }: ShownChangesets,
): void {
  const template = args.text('template')
  const form =
    template === undefined ? (quiet ? shortForm : defaultForm) : compileTemplate(template)
  const toLocal = localEncoding(io.env)
  const context = { history, names: logNames(repository, history, toLocal), toLocal }
  const limit = args.text('limit')
  for (const rev of revs.slice(0, limit === undefined ? undefined : parseLimit(limit))) {
    output.write(form({ rev, changeset: history.changeset(rev), context }))
  }
}

function shortForm({ rev, context }: LogEntry): ByteString {
  return `${label(context, rev)}\n`
}
