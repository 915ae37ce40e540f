/**
 * `revlog unbundle`: the changesets of a bundle file into a repository.
 */
import { closeSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { openBundle } from '../../bundle/open-bundle.ts'
import { descriptorInput } from '../../bytes/byte-input.ts'
import { codeOf, RevlogError, reasonOf } from '../../errors.ts'
import { type AppliedBundle, applyBundle } from '../../exchange/apply-bundle.ts'
import type { AppliedChangegroup } from '../../exchange/apply-changegroup.ts'
import { openBranchHeads, workingBranch } from '../../exchange/branch-heads.ts'
import { type StoreUpdate, updateStore } from '../../exchange/store-update.ts'
import { withRepositoryLocks } from '../../locks/repository-locks.ts'
import type { Command, CommandContext } from '../command.ts'
import { configFlag, configSeconds } from '../config-values.ts'

/** Applies bundles. */
export const unbundleCommand: Command = {
  name: 'unbundle',
  options: {},
  help: `unbundle FILE...           add the changesets of bundle files, each file whole or not at all
     --config storage.revlog.reuse-external-delta-parent=yes
                           keep the bases that deltas came with (default: no)
     --config storage.revlog.issue6528.fix-incoming=no
                           take swapped parents of copied files as they come (default: yes)
     --config ui.timeout=SECONDS
                           how long to wait for locks (default: 600)`,
  run(context) {
    const files = context.args.operands
    if (files.length === 0) throw new RevlogError('usage', 'unbundle: give a bundle file')
    const root = resolve(context.io.cwd, context.root())
    let advice = ''
    withRepositoryLocks(root, lockOptions(context), () => {
      for (const file of files) advice = unbundle(context, root, file)
    })
    if (!context.quiet) context.output.write(advice)
  },
}

/** How a command waits for locks. */
export function lockOptions({ config, io, output }: CommandContext) {
  return {
    timeoutSeconds: configSeconds(config, 'ui.timeout', 600),
    onWait: (message: string) => {
      output.flush()
      io.writeError(`${message}\n`)
    },
  }
}

/** Applies one file and gives the advice that ends the command. */
function unbundle(context: CommandContext, root: string, file: string): string {
  const { io, output, quiet, config, access } = context
  const say = (line: string): void => {
    if (!quiet) output.write(`${line}\n`)
  }
  const fd = openFile(resolve(io.cwd, file), file)
  try {
    const warn = (line: string): void => {
      output.flush()
      io.writeError(`${line}\n`)
    }
    const bundle = openBundle(descriptorInput(fd, file), {
      onWholeStream: (why) => warn(`${file}: ${why}`),
    })
    return updateStore(
      {
        root,
        access,
        description: 'unbundle',
        preferGiven: configFlag(config, 'storage.revlog.reuse-external-delta-parent', false),
        onRollback: warn,
      },
      (update) => {
        const applied = applyBundle(update, bundle, {
          fixSwappedParents: configFlag(config, 'storage.revlog.issue6528.fix-incoming', true),
          onStep: say,
          onChangegroup: (group, heads) => say(summaryOf(group, heads)),
          onSkipped: (part) =>
            warn(`ignoring the part ${part.name} of ${file}: it is not known here`),
        })
        if (quiet) return ''
        sayNewChangesets(update, applied, say)
        return adviceFor(update, applied)
      },
    )
  } finally {
    closeSync(fd)
  }
}

/** Mercurial's words for a file that is not there. */
function openFile(path: string, name: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    const why =
      codeOf(cause) === 'ENOENT'
        ? `No such file or directory: '${name}'`
        : `${name}: ${reasonOf(cause)}`
    throw new RevlogError('system', why, { cause })
  }
}

function summaryOf(applied: AppliedChangegroup, heads: number): string {
  const { addedChangesets, addedFileRevisions, files } = applied
  const sign = heads > 0 ? '+' : ''
  const change = heads === 0 ? '' : ` (${sign}${heads} heads)`
  return `added ${addedChangesets} changesets with ${addedFileRevisions} changes to ${files} files${change}`
}

function sayNewChangesets(
  { changelog, phases }: StoreUpdate,
  { firstNewRev, published }: AppliedBundle,
  say: (line: string) => void,
): void {
  const { index } = changelog
  if (index.length > firstNewRev) {
    const short = (rev: number) => Buffer.from(index.node(rev)).toString('hex', 0, 6)
    const last = index.length - 1
    const range = last === firstNewRev ? short(last) : `${short(firstNewRev)}:${short(last)}`
    const counts = [
      [1, 'drafts'],
      [2, 'secrets'],
    ] as const
    const phaseCounts = counts
      .map(([phase, name]) => ({
        name,
        count: countPhase((rev) => phases.phaseOf(rev), { firstNewRev, last, phase }),
      }))
      .filter(({ count }) => count > 0)
      .map(({ name, count }) => `${count} ${name}`)
    say(`new changesets ${range}${phaseCounts.length === 0 ? '' : ` (${phaseCounts.join(', ')})`}`)
  }
  if (published > 0) say(`${published} local changesets published`)
}

function countPhase(
  phaseOf: (rev: number) => number,
  { firstNewRev, last, phase }: { firstNewRev: number; last: number; phase: number },
): number {
  let count = 0
  for (let rev = firstNewRev; rev <= last; rev++) if (phaseOf(rev) === phase) count += 1
  return count
}

/** Mercurial's words. */
function adviceFor(update: StoreUpdate, { headDifferences }: AppliedBundle): string {
  const difference = headDifferences.reduce((sum, one) => sum + one, 0)
  if (difference <= 0) return "(run 'hg update' to get a working copy)\n"
  const onBranch = openBranchHeads(update, workingBranch(update))
  if (onBranch === difference + 1) {
    return "(run 'hg heads' to see heads, 'hg merge' to merge)\n"
  }
  if (onBranch > 1) return "(run 'hg heads .' to see heads, 'hg merge' to merge)\n"
  return "(run 'hg heads' to see heads)\n"
}
