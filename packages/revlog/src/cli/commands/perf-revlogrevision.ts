/**
 * `revlog perf::revlogrevision`: times what building one revision's text is made of.
 */
import { RevlogError } from '../../errors.ts'
import { revisionSteps } from '../../perf/revision-steps.ts'
import { resolveInRevlog } from '../../repository/resolve-revisions.ts'
import type { Command } from '../command.ts'
import { REVLOG_OPTIONS, withRevlog } from '../named-revlog.ts'
import { PERF_OPTIONS, runPerfSteps } from '../run-perf-steps.ts'

/** Prints the times of eight steps. */
export const perfRevlogrevisionCommand: Command = {
  name: 'perf::revlogrevision',
  aliases: ['perfrevlogrevision'],
  options: { ...REVLOG_OPTIONS, ...PERF_OPTIONS, cache: { type: 'boolean' } },
  help: `perf::revlogrevision -c|-m|FILE REV
                           time the steps of building one revision's text
     --cache               keep caches between runs`,
  run(context) {
    withRevlog(context, (revlog, [text = '']) => {
      const rev = resolveInRevlog(revlog, text)
      if (rev === undefined || rev < 0) {
        throw new RevlogError('unknown-revision', `invalid revision identifier ${text}`)
      }
      runPerfSteps(context, revisionSteps(revlog, rev, context.args.flag('cache')))
    })
    return undefined
  },
}
