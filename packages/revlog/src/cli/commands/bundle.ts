/**
 * `revlog bundle`: changesets of a repository into a file.
 */
import { resolve } from 'node:path'
import { BUNDLE_TYPES, type BundleType, writeBundle } from '../../bundle/write-bundle.ts'
import { writeBundleFile } from '../../bundle/write-bundle-file.ts'
import { missingChangesets } from '../../changegroup/missing-changesets.ts'
import { findOutgoing, type Outgoing } from '../../changegroup/outgoing.ts'
import { RevlogError } from '../../errors.ts'
import { NULL_REV } from '../../format/constants.ts'
import { headRevs } from '../../repository/heads.ts'
import { openRepository, type Repository } from '../../repository/open.ts'
import { resolveRevisions } from '../../repository/resolve-revisions.ts'
import type { Command, CommandContext } from '../command.ts'
import { EXIT } from '../exit-status.ts'

/** Writes a bundle. */
export const bundleCommand: Command = {
  name: 'bundle',
  options: {
    rev: { type: 'string', short: 'r', multiple: true },
    base: { type: 'string', multiple: true },
    all: { type: 'boolean', short: 'a' },
    type: { type: 'string', short: 't' },
  },
  help: `bundle FILE [DIR]          write changesets to a file that hg and this program can unbundle
  -a --all                 all changesets (without -a and --base: those that the repository in DIR lacks)
     --base REV [+]        those that are not ancestors of these
  -r --rev REV [+]         and that are ancestors of these (default: of all heads)
  -t --type TYPE           ${BUNDLE_TYPES.join(', ')} (default: gzip-v2)
     --config experimental.bundle-phases=yes
                           with the changesets' phases`,
  run(context) {
    const [file, destination, ...more] = context.args.operands
    if (file === undefined || more.length > 0) {
      throw new RevlogError(
        'usage',
        'bundle: give a file to write to and at most one other repository',
      )
    }
    const type = parseType(context.args.text('type') ?? 'gzip-v2')
    const repository = context.repository()
    const outgoing =
      destination === undefined
        ? chosenChangesets(context, repository)
        : lackingChangesets(context, repository, destination)
    if (outgoing.revs.length === 0) {
      if (!context.quiet) context.output.write('no changes found\n')
      return EXIT.nothing
    }
    // As Mercurial does: said before the work begins.
    if (!context.quiet) context.output.write(`${outgoing.revs.length} changesets found\n`)
    const phases = context.config.get('experimental.bundle-phases')
    const pieces = writeBundle({
      repository,
      outgoing,
      type,
      phases: phases !== undefined && /^(1|yes|true|on|always)$/i.test(phases),
    })
    writeBundleFile(resolve(context.io.cwd, file), pieces)
    return EXIT.ok
  },
}

function chosenChangesets({ args }: CommandContext, repository: Repository): Outgoing {
  const resolveAll = (specs: readonly string[]): number[] =>
    specs.flatMap((spec) => resolveRevisions(repository, spec))
  const heads = resolveAll(args.list('rev'))
  const bases = resolveAll(args.list('base'))
  const all = args.flag('all')
  if (all && bases.length > 0) {
    throw new RevlogError('usage', '--base is incompatible with specifying --all')
  }
  if (!all && bases.length === 0 && args.list('base').length === 0) {
    throw new RevlogError('usage', 'bundle: give --base, --all, or another repository')
  }
  const { index } = repository.changelog
  return findOutgoing(index, {
    bases: bases.length === 0 ? [NULL_REV] : bases,
    heads: args.list('rev').length === 0 || all ? headRevs(index) : heads,
  })
}

/** What the repository in another folder lacks. */
function lackingChangesets(
  { args, io, access, output, quiet }: CommandContext,
  repository: Repository,
  destination: string,
): Outgoing {
  if (args.flag('all') || args.list('base').length > 0) {
    throw new RevlogError('usage', '--base is incompatible with specifying a destination')
  }
  const { changelog } = repository
  const specs = args.list('rev')
  const heads =
    specs.length === 0
      ? headRevs(changelog.index)
      : specs.flatMap((spec) => resolveRevisions(repository, spec))
  const other = openRepository(resolve(io.cwd, destination), access)
  try {
    if (!quiet) output.write('searching for changes\n')
    const there = other.changelog
    return missingChangesets({
      index: changelog.index,
      heads,
      isThere: (rev) => there.findRev(changelog.node(rev)) !== undefined,
    })
  } finally {
    other.close()
  }
}

function parseType(text: string): BundleType {
  const full = { v1: 'gzip-v1', v2: 'gzip-v2', none: 'none-v2', gzip: 'gzip-v2', zstd: 'zstd-v2' }
  const name = new Map(Object.entries(full)).get(text) ?? text
  const type = BUNDLE_TYPES.find((one) => one === name)
  if (type !== undefined) return type
  if (name === 'zstd-v1') {
    throw new RevlogError('usage', 'compression engine zstd is not supported on v1 bundles')
  }
  throw new RevlogError(
    'usage',
    `${text} is not a recognized bundle specification: it must be one of ${BUNDLE_TYPES.join(', ')}`,
  )
}
