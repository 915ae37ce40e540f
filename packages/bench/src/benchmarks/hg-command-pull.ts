/** `hg.command.pull`: fetch revisions from another repository, discovery included. */
import type { Benchmark } from './benchmark.ts'
import { explicitRev, issue6528, protocol, reuseExternalDeltaParent, revs } from './parameters.ts'

export const hgCommandPull: Benchmark = {
  name: 'hg.command.pull',
  version: 1,
  summary: 'fetch revisions from another repository: discovery, bundle there, unbundle here',
  parameters: [explicitRev, issue6528, protocol, reuseExternalDeltaParent, revs],
  needsDataset: true,
  mutatesRepository: true,
  needsRemote: true,
  lacking: 'dataset',
}
