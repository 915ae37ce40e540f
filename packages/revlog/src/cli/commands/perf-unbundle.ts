/**
 * `revlog perf::unbundle`: times applying a bundle, without what makes it valid in the end. Before the
 * next run, unmeasured, everything is put back.
 */
import { closeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Bundle } from '../../bundle/bundle.ts'
import { openBundle } from '../../bundle/open-bundle.ts'
import { descriptorInput } from '../../bytes/byte-input.ts'
import { RevlogError } from '../../errors.ts'
import { applyBundle } from '../../exchange/apply-bundle.ts'
import { type BegunUpdate, beginUpdate } from '../../exchange/store-update.ts'
import { withRepositoryLocks } from '../../locks/repository-locks.ts'
import type { Command, CommandContext } from '../command.ts'
import { exchangeSettings } from '../exchange-settings.ts'
import { PERF_OPTIONS, runPerfSteps } from '../run-perf-steps.ts'
import { lockOptions, openFile } from './unbundle.ts'

/** Prints the times of applying a bundle. */
export const perfUnbundleCommand: Command = {
  name: 'perf::unbundle',
  options: PERF_OPTIONS,
  help: `perf::unbundle FILE        time adding the changesets of a bundle file, and put everything back`,
  run(context) {
    const [file, ...more] = context.args.operands
    if (file === undefined || more.length > 0) {
      throw new RevlogError('usage', 'perf::unbundle: give one bundle file')
    }
    const root = resolve(context.io.cwd, context.root())
    withRepositoryLocks(root, lockOptions(context), () => timeUnbundle(context, root, file))
    return undefined
  },
}

/** What a run works on. */
interface Begun extends BegunUpdate {
  readonly bundle: Bundle
}

function timeUnbundle(context: CommandContext, root: string, file: string): void {
  const { fixSwappedParents } = exchangeSettings(context.config)
  let begun: Begun | undefined
  const abandon = (): void => {
    const before = begun
    begun = undefined
    try {
      before?.rollback()
    } finally {
      before?.close()
    }
  }
  const setUp = (): void => {
    abandon()
    begun = begin(context, root, file)
  }
  const run = (): void => {
    if (begun === undefined) return
    applyBundle(begun.update, begun.bundle, { fixSwappedParents })
    // As in Mercurial manifests are written as they come; the changelog is not.
    begun.update.manifest.finish()
  }
  try {
    runPerfSteps(context, [{ title: undefined, setUp, run }])
  } finally {
    abandon()
  }
}

function begin({ io, access, config }: CommandContext, root: string, file: string): Begun {
  const fd = openFile(resolve(io.cwd, file), file)
  try {
    const bundle = openBundle(descriptorInput(fd, file))
    const { preferGiven } = exchangeSettings(config)
    const update = beginUpdate({ root, access, description: 'perf::unbundle', preferGiven })
    const close = (): void => {
      closeSync(fd)
      update.close()
    }
    return { ...update, bundle, close }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}
