/**
 * `revlog log`: changesets in Mercurial's default form or by a template. It reads what the output
 * needs and no more: the manifest is opened only if tags have to be found through it.
 */
import { RevlogError } from '../errors.ts'
import { NULL_REV } from '../format/constants.ts'
import type { Repository } from '../repository/open.ts'
import { resolveRevisions } from '../repository/resolve-revisions.ts'
import type { CliArguments } from './arguments.ts'
import { localEncoding } from './local-encoding.ts'
import { defaultForm, type LogContext } from './log-entry.ts'
import { logNames } from './log-names.ts'
import type { CliIo, Output } from './output.ts'
import { compileTemplate } from './template.ts'

/** Prints changesets. Throws `unsupported` for --patch, files and hidden changesets. */
export function runLog(
  repository: Repository,
  args: CliArguments,
  { io, output }: { readonly io: CliIo; readonly output: Output },
): void {
  if (args.patch) throw new RevlogError('unsupported', 'log --patch is not supported yet')
  if (args.operands.length > 0) {
    throw new RevlogError('unsupported', 'log of single files is not supported yet')
  }
  refuseHiddenChangesets(repository)
  const form = args.template === undefined ? defaultForm : compileTemplate(args.template)
  const toLocal = localEncoding(io.env)
  const context: LogContext = { repository, names: logNames(repository, toLocal), toLocal }
  const limit = args.limit ?? Number.POSITIVE_INFINITY
  let shown = 0
  for (const rev of chosenRevs(repository, args.revs)) {
    if (shown++ >= limit) break
    output.write(form({ rev, changeset: repository.changeset(rev), context }))
  }
}

/** All revisions from the tip down, or each one that was asked for once, in the order of asking. */
function chosenRevs(repository: Repository, specs: readonly string[]): Iterable<number> {
  if (specs.length === 0) return downFrom(repository.changelog.length - 1)
  return new Set(specs.flatMap((spec) => resolveRevisions(repository, spec)))
}

function* downFrom(tip: number): Iterable<number> {
  for (let rev = tip; rev > NULL_REV; rev--) yield rev
}

/** Size of a file of obsolescence markers without any: its version byte. */
const EMPTY_OBSSTORE_BYTES = 1

function refuseHiddenChangesets(repository: Repository): void {
  const markers = repository.metaFile('store/obsstore')
  if (markers !== undefined && markers.length > EMPTY_OBSSTORE_BYTES) {
    throw new RevlogError(
      'unsupported',
      'the repository has obsolete changesets, which log would have to hide: not supported yet',
    )
  }
}
