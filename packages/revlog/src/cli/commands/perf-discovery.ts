/**
 * `revlog perf::discovery`: times finding out what another repository and this one have in common. The
 * connection is made before each run, unmeasured.
 */
import { discover } from '../../discovery/discover.ts'
import { RevlogError } from '../../errors.ts'
import type { Peer } from '../../peer/peer.ts'
import { servedView } from '../../peer/served-view.ts'
import type { Command, CommandContext } from '../command.ts'
import { openPeer, REMOTE_OPTIONS, remotePlace } from '../remote-place.ts'
import { PERF_OPTIONS, runPerfSteps } from '../run-perf-steps.ts'

/** Prints the times of discovery. */
export const perfDiscoveryCommand: Command = {
  name: 'perf::discovery',
  aliases: ['perfdiscovery'],
  options: { ...PERF_OPTIONS, ...REMOTE_OPTIONS },
  help: `perf::discovery PATH       time finding out what another repository and this one have in common
                           -e and --remotecmd as for push`,
  run(context) {
    if (context.args.operands.length !== 1) {
      throw new RevlogError('usage', 'perf::discovery: give one other repository')
    }
    timeDiscovery(context)
    return undefined
  },
}

function timeDiscovery(context: CommandContext): void {
  const repository = context.repository()
  const place = remotePlace(context, 'pull')
  let peer: Peer | undefined
  try {
    const setUp = (): void => {
      peer?.close()
      peer = openPeer(context, place)
    }
    const run = (): void => {
      if (peer === undefined) return
      discover({ repository, heads: servedView(repository).heads(), peer })
    }
    runPerfSteps(context, [{ title: undefined, setUp, run }])
  } finally {
    peer?.close()
  }
}
