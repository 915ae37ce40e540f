/**
 * `revlog perf::index` and `perf::nodemap`: time opening the changelog's index and looking nodes up
 * in it. The first opens it anew in each run; the second only forgets what was learnt of nodes.
 */
import { openByteSource } from '../../bytes/byte-source.ts'
import { RevlogError } from '../../errors.ts'
import { maxOpeningRuns } from '../../perf/index-steps.ts'
import { nodeTable } from '../../reader/node-table.ts'
import { readIndex } from '../../reader/revlog-index.ts'
import { resolveRevisions } from '../../repository/resolve-revisions.ts'
import type { Command, CommandContext } from '../command.ts'
import { PERF_OPTIONS, runPerfSteps } from '../run-perf-steps.ts'

/** Prints the times of opening and looking up. */
export const perfIndexCommand: Command = {
  name: 'perf::index',
  aliases: ['perfindex'],
  options: {
    ...PERF_OPTIONS,
    rev: { type: 'string', multiple: true },
    'no-lookup': { type: 'boolean' },
  },
  help: `perf::index                time opening the changelog's index and looking nodes up in it
     --rev REV [+]         those of these revisions (default: tip)
     --no-lookup           none`,
  run(context) {
    const { args } = context
    if (args.flag('no-lookup') && args.list('rev').length > 0) {
      throw new RevlogError('usage', '--no-lookup and --rev are mutually exclusive')
    }
    const nodes = args.flag('no-lookup') ? [] : nodesOf(context, ['tip'])
    const path = context.repository().storePath('00changelog.i')
    const run = (): void => {
      const index = readIndex(openByteSource(path, context.access), path)
      const table = nodeTable(index)
      for (const node of nodes) table.find(node)
      index.close()
    }
    const maxRuns = maxOpeningRuns(context.access.mode)
    const limit = maxRuns === undefined ? {} : { maxRuns }
    runPerfSteps(context, [{ title: undefined, run, ...limit }])
    return undefined
  },
}

/** Prints the times of looking up. */
export const perfNodemapCommand: Command = {
  name: 'perf::nodemap',
  aliases: ['perfnodemap'],
  options: {
    ...PERF_OPTIONS,
    rev: { type: 'string', multiple: true },
    'clear-caches': { type: 'boolean' },
    'no-clear-caches': { type: 'boolean' },
  },
  help: `perf::nodemap --rev REV [+] time looking up the nodes of these revisions in the changelog
     --no-clear-caches     keep what was learnt of nodes between runs`,
  run(context) {
    const nodes = nodesOf(context, [])
    if (nodes.length === 0) {
      throw new RevlogError('usage', 'use --rev to specify revisions to look up')
    }
    const { index } = context.repository().changelog
    const kept = nodeTable(index)
    const clear = !context.args.flag('no-clear-caches')
    const run = (): void => {
      if (clear) index.closeNodemap()
      const table = clear ? nodeTable(index) : kept
      for (const node of nodes) table.find(node)
    }
    // A persistent nodemap is opened again in each run that begins without it.
    const opens = clear && index.nodemap !== undefined
    const maxRuns = opens ? maxOpeningRuns(context.access.mode) : undefined
    const limit = maxRuns === undefined ? {} : { maxRuns }
    runPerfSteps(context, [{ title: undefined, run, ...limit }])
    return undefined
  },
}

function nodesOf(context: CommandContext, fallback: readonly string[]): readonly Uint8Array[] {
  const repository = context.repository()
  const given = context.args.list('rev')
  const revs = (given.length === 0 ? fallback : given).flatMap((spec) =>
    resolveRevisions(repository, spec),
  )
  return revs.map((rev) => repository.changelog.node(rev))
}
