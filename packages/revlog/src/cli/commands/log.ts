/**
 * `revlog log`: changesets in Mercurial's default form or by a template. It reads what the output
 * needs and no more: the manifest is opened only if tags have to be found through it.
 */
import { RevlogError } from '../../errors.ts'
import type { ByteString } from '../../format/byte-string.ts'
import { NULL_REV } from '../../format/constants.ts'
import { openChangesetPatches } from '../../patch/changeset-patches.ts'
import { historyOf } from '../../repository/history.ts'
import type { Repository } from '../../repository/open.ts'
import { resolveRevisions } from '../../repository/resolve-revisions.ts'
import { REVSET_FUNCTIONS } from '../../revset/functions.ts'
import { parseLimit } from '../arguments.ts'
import type { Command, CommandContext } from '../command.ts'
import { defaultDate } from '../dates.ts'
import { localEncoding } from '../local-encoding.ts'
import { defaultForm } from '../log-entry.ts'
import { logNames } from '../log-names.ts'
import type { Output } from '../output.ts'
import { compileTemplate, TEMPLATE_FILTERS, TEMPLATE_KEYWORDS } from '../template.ts'

/** Prints changesets. Throws `unsupported` for files and hidden changesets. */
export const logCommand: Command = {
  name: 'log',
  options: {
    rev: { type: 'string', short: 'r', multiple: true },
    limit: { type: 'string', short: 'l' },
    template: { type: 'string', short: 'T' },
    patch: { type: 'boolean', short: 'p' },
    git: { type: 'boolean', short: 'g' },
  },
  help: `log                        show the changesets, newest first
  -r --rev REV [+]         only these: N, -N, tip, null, ., a node or its prefix, a tag, a bookmark,
                           a branch, or a revset: A:B, A::B, and, or, not, -, %, ^N, ~N, and
                           ${wrap([...REVSET_FUNCTIONS.keys()])}
  -l --limit N             at most N of them
  -T --template TEMPLATE   instead of the default form; text, \\n \\t \\r \\\\ \\{, and {KEYWORD|FILTER...}
                           keywords: ${wrap(TEMPLATE_KEYWORDS)}
                           filters: ${wrap(TEMPLATE_FILTERS)}
  -p --patch               with what each changed against its first parent
  -g --git                 patches in git's form, which shows modes, copies and binary files`,
  run(context) {
    printLog(context)
    return undefined
  },
}

function printLog({ args, io, output, repository: open }: CommandContext): void {
  const limit = parsedLimit(args.text('limit'))
  if (args.operands.length > 0) {
    throw new RevlogError('unsupported', 'log of single files is not supported yet')
  }
  const repository = open()
  refuseHiddenChangesets(repository)
  const template = args.text('template')
  const form = template === undefined ? defaultForm : compileTemplate(template)
  const toLocal = localEncoding(io.env)
  const history = historyOf(repository)
  const context = { history, names: logNames(repository, history, toLocal), toLocal }
  const show = (rev: number): ByteString =>
    form({ rev, changeset: history.changeset(rev), context })
  const revs = firstOf(chosenRevs(repository, args.list('rev')), limit)
  if (args.flag('patch')) {
    printWithPatches({ repository, output, show }, revs, args.flag('git'))
  } else {
    for (const rev of revs) output.write(show(rev))
  }
}

/** Manifests of this many changesets are compared together, in the order that makes it cheap. */
const PATCHES_AHEAD = 32

interface Showing {
  readonly repository: Repository
  readonly output: Output
  readonly show: (rev: number) => ByteString
}

function printWithPatches(
  { repository, output, show }: Showing,
  revs: Iterable<number>,
  git: boolean,
): void {
  const dateOf = (rev: number): string => defaultDate(repository.changeset(rev))
  const patches = openChangesetPatches(repository, { git, dateOf })
  try {
    for (const some of inGroups(revs, PATCHES_AHEAD)) {
      patches.prepare(some)
      for (const rev of some) output.write(`${show(rev)}${patches.patch(rev)}\n`)
    }
  } finally {
    patches.close()
  }
}

function* firstOf(revs: Iterable<number>, limit: number): Iterable<number> {
  let count = 0
  for (const rev of revs) {
    if (count++ >= limit) return
    yield rev
  }
}

function* inGroups(revs: Iterable<number>, size: number): Iterable<readonly number[]> {
  let group: number[] = []
  for (const rev of revs) {
    group.push(rev)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
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
