/** `hg.command.push`: send revisions to another repository, discovery included. */
import type { BenchmarkDeclaration } from '@assay/model'
import { choice, issue6528, reuseExternalDeltaParent, revs } from './parameters.ts'

export const hgCommandPush: BenchmarkDeclaration = {
  name: 'hg.command.push',
  version: 1,
  summary: 'send revisions to another repository: discovery, bundle, unbundle there',
  parameters: [
    choice('explicit-rev', 'revisions named on the command line', {
      levels: ['none', 'all-out-heads'],
      fallback: null,
    }),
    issue6528,
    choice('protocol', 'how the other repository is reached', {
      levels: ['ssh', 'local'],
      fallback: null,
    }),
    reuseExternalDeltaParent,
    revs,
  ],
  needsDataset: true,
  mutatesRepository: true,
  needsRemote: true,
}
