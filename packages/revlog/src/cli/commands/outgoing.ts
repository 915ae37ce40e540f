/**
 * `revlog outgoing` and `incoming`: what another repository on this machine lacks, or has more.
 */
import { resolve } from 'node:path'
import { missingChangesets } from '../../changegroup/missing-changesets.ts'
import { RevlogError } from '../../errors.ts'
import { headRevs } from '../../repository/heads.ts'
import { openRepository, type Repository } from '../../repository/open.ts'
import { phaseLookup } from '../../repository/phases.ts'
import { resolveRevisions } from '../../repository/resolve-revisions.ts'
import { parseLimit } from '../arguments.ts'
import type { Command, CommandContext, CommandOptions } from '../command.ts'
import { EXIT } from '../exit-status.ts'
import { showChangesets } from '../show-changesets.ts'

const OPTIONS: CommandOptions = {
  rev: { type: 'string', short: 'r', multiple: true },
  limit: { type: 'string', short: 'l' },
  template: { type: 'string', short: 'T' },
}

/** Lists what the other repository lacks. */
export const outgoingCommand: Command = {
  name: 'outgoing',
  options: OPTIONS,
  help: `outgoing DIR               show the changesets that the repository in DIR lacks
  -r --rev REV [+]         only ancestors of these
  -l --limit N             at most N of them
  -T --template TEMPLATE   as for log`,
  run: (context) =>
    withOther(context, (other) => list(context, { from: context.repository(), to: other })),
}

/** Lists what the other repository has more. */
export const incomingCommand: Command = {
  name: 'incoming',
  options: OPTIONS,
  help: `incoming DIR               show the changesets that only the repository in DIR has
                           -r, -l and -T as for outgoing`,
  run: (context) =>
    withOther(context, (other) => list(context, { from: other, to: context.repository() })),
}

/** Uses the repository that the operand names, which must be a folder. */
function withOther(context: CommandContext, use: (other: Repository) => number): number {
  const { args, io, output, quiet } = context
  const [place, ...more] = args.operands
  if (place === undefined || more.length > 0) {
    throw new RevlogError('usage', `${args.command}: give one other repository`)
  }
  if (/^\w+:\/\//.test(place)) {
    throw new RevlogError('unsupported', `${place}: only repositories in folders are asked yet`)
  }
  const other = openRepository(resolve(io.cwd, place), context.access)
  try {
    if (!quiet) output.write(`comparing with ${place}\nsearching for changes\n`)
    return use(other)
  } finally {
    other.close()
  }
}

interface Direction {
  readonly from: Repository
  readonly to: Repository
}

function list(context: CommandContext, { from, to }: Direction): number {
  const { args, output, quiet } = context
  const specs = args.list('rev')
  const { index } = from.changelog
  const heads =
    specs.length === 0 ? headRevs(index) : specs.flatMap((spec) => resolveRevisions(from, spec))
  const isThere = (rev: number): boolean =>
    to.changelog.findRev(from.changelog.node(rev)) !== undefined
  const missing = missingChangesets({ index, heads, isThere })
  const { phaseOf } = phaseLookup(from)
  const shown = missing.revs.filter((rev) => phaseOf(rev) < SECRET)
  if (shown.length === 0) {
    if (!quiet) output.write('no changes found\n')
    return EXIT.nothing
  }
  const limit = args.text('limit')
  showChangesets(context, from, shown.slice(0, limit === undefined ? undefined : parseLimit(limit)))
  return EXIT.ok
}

/** From this phase on changesets are not exchanged (`hg help phases`). */
const SECRET = 2
