/** `hg.perf.revlogchunks`: read, decompress and recompress the chunks of a revlog, step by step. */
import type { BenchmarkDeclaration } from '@assay/model'
import { choice, revlog } from './parameters.ts'

export const hgPerfRevlogchunks: BenchmarkDeclaration = {
  name: 'hg.perf.revlogchunks',
  version: 1,
  summary: 'read, decompress and recompress the chunks of a revlog, one metric a step',
  parameters: [
    choice('compression', 'what chunks are recompressed with', {
      levels: ['zlib', 'zstd', 'none'],
      fallback: null,
    }),
    revlog,
  ],
  needsDataset: true,
  mutatesRepository: false,
  needsRemote: false,
}
