/** `hg.command.log`: display revisions (reads the changelog index and some changelog texts). */
import type { BenchmarkDeclaration } from '@assay/model'
import { choice, count, revision } from './parameters.ts'

export const hgCommandLog: BenchmarkDeclaration = {
  name: 'hg.command.log',
  version: 1,
  summary: 'display revisions: reads the changelog index, with patch also manifest and files',
  parameters: [
    count('limit-rev', 'display at most that many revisions'),
    choice('patch', 'display the patch of each revision', {
      levels: ['yes', 'no'],
      fallback: 'no',
    }),
    revision('rev', 'display only this revision or range; none displays all', {
      wanted: 'none, tip, a revision number, a hash or a range such as 0:100',
      fallback: null,
    }),
  ],
  needsDataset: true,
  mutatesRepository: false,
  needsRemote: false,
}
