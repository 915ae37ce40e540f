/** `hg.command.log`: display revisions (reads the changelog index and some changelog texts). */
import type { BenchmarkDeclaration } from '@assay/model'
import { choice, count } from './parameters.ts'

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
    {
      name: 'rev',
      summary: 'display only this revision or range; none displays all',
      levels: null,
      // Characters of revision identifiers and ranges; nothing that could be read as an option.
      pattern: {
        expression: /^[A-Za-z0-9][A-Za-z0-9_.:]*$/,
        wanted: 'none, tip, a revision number, a hash or a range such as 0:100',
      },
      fallback: null,
    },
  ],
  needsDataset: true,
  mutatesRepository: false,
  needsRemote: false,
}
