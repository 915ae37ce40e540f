/**
 * `revlog log`: changesets in Mercurial's default form or by a template. It reads what the output
 * needs and no more: the manifest is opened only if tags have to be found through it.
 */
import { RevlogError } from '../../errors.ts'
import { NULL_REV } from '../../format/constants.ts'
import type { Repository } from '../../repository/open.ts'
import { resolveRevisions } from '../../repository/resolve-revisions.ts'
import { REVSET_FUNCTIONS } from '../../revset/functions.ts'
import { parseLimit } from '../arguments.ts'
import type { Command, CommandContext } from '../command.ts'
import { localEncoding } from '../local-encoding.ts'
import { defaultForm, type LogContext } from '../log-entry.ts'
import { logNames } from '../log-names.ts'
import { compileTemplate, TEMPLATE_FILTERS, TEMPLATE_KEYWORDS } from '../template.ts'

/** Prints changesets. Throws `unsupported` for --patch, files and hidden changesets. */
export const logCommand: Command = {
  name: 'log',
  options: {
    rev: { type: 'string', short: 'r', multiple: true },
    limit: { type: 'string', short: 'l' },
    template: { type: 'string', short: 'T' },
    patch: { type: 'boolean', short: 'p' },
  },
  help: `log                        show the changesets, newest first
  -r --rev REV [+]         only these: N, -N, tip, null, ., a node or its prefix, a tag, a bookmark,
                           a branch, or a revset: A:B, A::B, and, or, not, -, %, ^N, ~N, and
                           ${wrap([...REVSET_FUNCTIONS.keys()])}
  -l --limit N             at most N of them
  -T --template TEMPLATE   instead of the default form; text, \\n \\t \\r \\\\ \\{, and {KEYWORD|FILTER...}
                           keywords: ${wrap(TEMPLATE_KEYWORDS)}
                           filters: ${wrap(TEMPLATE_FILTERS)}
  -p --patch               not supported yet`,
  run(context) {
    printLog(context)
    return undefined
  },
}

function printLog({ args, io, output, repository: open }: CommandContext): void {
  const limit = parsedLimit(args.text('limit'))
  if (args.flag('patch')) throw new RevlogError('unsupported', 'log --patch is not supported yet')
  if (args.operands.length > 0) {
    throw new RevlogError('unsupported', 'log of single files is not supported yet')
  }
  const repository = open()
  refuseHiddenChangesets(repository)
  const template = args.text('template')
  const form = template === undefined ? defaultForm : compileTemplate(template)
  const toLocal = localEncoding(io.env)
  const context: LogContext = { repository, names: logNames(repository, toLocal), toLocal }
  let shown = 0
  for (const rev of chosenRevs(repository, args.list('rev'))) {
    if (shown++ >= limit) break
    output.write(form({ rev, changeset: repository.changeset(rev), context }))
  }
}

function parsedLimit(text: string | undefined): number {
  return text === undefined ? Number.POSITIVE_INFINITY : parseLimit(text)
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

function wrap(words: readonly string[]): string {
  const lines: string[] = ['']
  for (const word of words) {
    if ((lines.at(-1) ?? '').length + word.length > 60) lines.push('')
    lines[lines.length - 1] += `${word} `
  }
  return lines.map((line) => line.trimEnd()).join(`\n${' '.repeat(27)}`)
}
