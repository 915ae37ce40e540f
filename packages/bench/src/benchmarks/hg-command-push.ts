/** `hg.command.push`: send revisions to another repository, discovery included. */
import type { Benchmark } from './benchmark.ts'
import { explicitRev, issue6528, protocol, reuseExternalDeltaParent, revs } from './parameters.ts'

export const hgCommandPush: Benchmark = {
  name: 'hg.command.push',
  version: 1,
  summary: 'send revisions to another repository: discovery, bundle, unbundle there',
  parameters: [explicitRev, issue6528, protocol, reuseExternalDeltaParent, revs],
  needsDataset: true,
  mutatesRepository: true,
  needsRemote: true,
  lacking: 'remote',
}
