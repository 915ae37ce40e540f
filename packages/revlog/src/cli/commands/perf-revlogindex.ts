/**
 * `revlog perf::revlogindex`: times opening an index, in this run's access mode, and look-ups in it.
 */
import { indexSteps } from '../../perf/index-steps.ts'
import type { Command } from '../command.ts'
import { namedIndexPath, REVLOG_OPTIONS } from '../named-revlog.ts'
import { PERF_OPTIONS, runPerfSteps } from '../run-perf-steps.ts'

/** Prints the times of eighteen steps. */
export const perfRevlogindexCommand: Command = {
  name: 'perf::revlogindex',
  aliases: ['perfrevlogindex'],
  options: { ...REVLOG_OPTIONS, ...PERF_OPTIONS },
  help: `perf::revlogindex -c|-m|FILE
                           time opening an index, by --mode, and looking revisions up in it`,
  run(context) {
    const { steps, close } = indexSteps({ ...context.access, indexPath: namedIndexPath(context) })
    try {
      runPerfSteps(context, steps)
    } finally {
      close()
    }
    return undefined
  },
}
