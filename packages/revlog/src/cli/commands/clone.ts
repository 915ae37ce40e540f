/**
 * `revlog clone`: a repository on this machine into a new folder, whole or up to some revisions. The
 * store is copied, so the copy has the format of its source.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findOutgoing } from '../../changegroup/outgoing.ts'
import { copyFirstChangesets } from '../../clone/copy-first-changesets.ts'
import { RevlogError } from '../../errors.ts'
import { openRepository, type Repository } from '../../repository/open.ts'
import { resolveRevisions } from '../../repository/resolve-revisions.ts'
import type { Command, CommandContext } from '../command.ts'

/** Makes a clone. */
export const cloneCommand: Command = {
  name: 'clone',
  options: {
    noupdate: { type: 'boolean', short: 'U' },
    rev: { type: 'string', short: 'r', multiple: true },
  },
  help: `clone -U SOURCE DEST       copy a repository in a folder, without a working directory
  -r --rev REV [+]         only these and their ancestors, which must be the first changesets`,
  run(context) {
    const { args, io } = context
    const [from, to, ...more] = args.operands
    if (from === undefined || to === undefined || more.length > 0) {
      throw new RevlogError('usage', 'clone: give the repository and a new folder')
    }
    if (!args.flag('noupdate')) {
      throw new RevlogError('unsupported', 'clone writes no working directory: give -U')
    }
    const source = openRepository(resolve(io.cwd, from), context.access)
    try {
      const destination = resolve(io.cwd, to)
      copyFirstChangesets({ source, destination, count: chosenCount(context, source) })
      const paths = `[paths]\ndefault = ${source.root}\n`
      writeFileSync(join(destination, '.hg', 'hgrc'), paths)
    } finally {
      source.close()
    }
    return undefined
  },
}

/** How many changesets are asked for, if they are the first ones. */
function chosenCount({ args }: CommandContext, source: Repository): number {
  const { index, length } = source.changelog
  const specs = args.list('rev')
  if (specs.length === 0) return length
  const heads = specs.flatMap((spec) => resolveRevisions(source, spec))
  const { revs } = findOutgoing(index, { bases: [], heads })
  if (revs.length === 0 || revs.at(-1) === revs.length - 1) return revs.length
  throw new RevlogError(
    'unsupported',
    `clone -r: the ${revs.length} changesets asked for are not the first ${revs.length} of the repository, which is not supported yet`,
  )
}
