/**
 * `revlog unbundle`: the changesets of a bundle file into a repository.
 */
import { closeSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { openBundle } from '../../bundle/open-bundle.ts'
import { descriptorInput } from '../../bytes/byte-input.ts'
import { codeOf, RevlogError, reasonOf } from '../../errors.ts'
import { applyBundle } from '../../exchange/apply-bundle.ts'
import {
  changegroupSummary,
  newChangesetsLines,
  nextStepAdvice,
} from '../../exchange/change-summary.ts'
import { updateStore } from '../../exchange/store-update.ts'
import { withRepositoryLocks } from '../../locks/repository-locks.ts'
import type { Command, CommandContext } from '../command.ts'
import { configSeconds } from '../config-values.ts'
import { exchangeSettings } from '../exchange-settings.ts'

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
    const { preferGiven, fixSwappedParents } = exchangeSettings(config)
    return updateStore(
      { root, access, description: 'unbundle', preferGiven, onRollback: warn },
      (update) => {
        const applied = applyBundle(update, bundle, {
          fixSwappedParents,
          onStep: say,
          onChangegroup: (group, heads) => say(changegroupSummary(group, heads)),
          onSkipped: (part) =>
            warn(`ignoring the part ${part.name} of ${file}: it is not known here`),
        })
        if (quiet) return ''
        newChangesetsLines(update, applied).forEach(say)
        return `${nextStepAdvice(update, applied.headDifferences)}\n`
      },
    )
  } finally {
    closeSync(fd)
  }
}

/** Opens a bundle file; Mercurial's words for one that is not there. */
export function openFile(path: string, name: string): number {
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
