/** `hg.command.bundle`: write what another repository lacks to a file. */
import type { Benchmark } from './benchmark.ts'
import { choice, revs } from './parameters.ts'

export const hgCommandBundle: Benchmark = {
  name: 'hg.command.bundle',
  version: 1,
  summary: 'write the revisions that another repository lacks to a file: reads and compresses',
  parameters: [
    revs,
    choice('type', 'the form of the file', {
      levels: ['none-v2', 'gzip-v2', 'zstd-v2', 'none-v1', 'gzip-v1'],
      fallback: 'none-v2',
    }),
  ],
  needsDataset: true,
  mutatesRepository: false,
  needsRemote: true,
  lacking: 'remote',
}
