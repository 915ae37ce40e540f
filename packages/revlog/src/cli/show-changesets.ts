/**
 * Changesets in log's forms, for the commands that list some: default, by a template, or with --quiet
 * as `rev:node`.
 */
import type { ByteString } from '../format/byte-string.ts'
import type { Repository } from '../repository/open.ts'
import type { CommandContext } from './command.ts'
import { localEncoding } from './local-encoding.ts'
import { defaultForm, type LogContext, type LogEntry, label } from './log-entry.ts'
import { logNames } from './log-names.ts'
import { compileTemplate } from './template.ts'

/** Prints changesets of a repository, which need not be the one that -R names. */
export function showChangesets(
  { args, io, output, quiet }: CommandContext,
  repository: Repository,
  revs: Iterable<number>,
): void {
  const template = args.text('template')
  const form =
    template === undefined ? (quiet ? shortForm : defaultForm) : compileTemplate(template)
  const toLocal = localEncoding(io.env)
  const context: LogContext = { repository, names: logNames(repository, toLocal), toLocal }
  for (const rev of revs) {
    output.write(form({ rev, changeset: repository.changeset(rev), context }))
  }
}

function shortForm({ rev, context }: LogEntry): ByteString {
  return `${label(context, rev)}\n`
}
