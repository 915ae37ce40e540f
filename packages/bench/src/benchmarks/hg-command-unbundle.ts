/** `hg.command.unbundle`: add the revisions of a bundle to a repository. */
import type { Benchmark } from './benchmark.ts'
import { choice, issue6528, reuseExternalDeltaParent, revs } from './parameters.ts'

export const hgCommandUnbundle: Benchmark = {
  name: 'hg.command.unbundle',
  version: 1,
  summary: 'add the revisions of a bundle: reads and writes changelog, manifest and files',
  parameters: [
    issue6528,
    reuseExternalDeltaParent,
    revs,
    choice('source', 'the command that takes the bundle', {
      levels: ['unbundle'],
      fallback: null,
    }),
    choice('verbosity', 'what is printed meanwhile', { levels: ['quiet'], fallback: null }),
  ],
  needsDataset: true,
  mutatesRepository: true,
  needsRemote: false,
  lacking: 'dataset',
}
