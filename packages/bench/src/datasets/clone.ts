/** Source `clone`: a repository of this host or of another, at some revisions, by hg's own clone. */
import { orderFileList } from './history-files.ts'
import { absolute, refuseLocation } from './locations.ts'
import { runHg } from './programs.ts'
import { keyOfRevisions, revisionArguments, revisionsOption } from './revisions.ts'
import type { SourceKind } from './source-kind.ts'

export const clone: SourceKind = {
  name: 'clone',
  summary: 'a Mercurial repository by path or URL, cloned with hg',
  options: [revisionsOption('all')],
  refusalOf: (location) => refuseLocation(location, ['http', 'https', 'ssh']),
  keyOf: keyOfRevisions,
  fetch: async (source, { directory, ...site }) => {
    const from = absolute(source.location)
    const revisions = revisionArguments(source)
    // Pulled, so that the store is written in the same formats whatever those of the source are.
    const how = ['clone', '--quiet', '--noupdate', '--pull', ...revisions]
    await runHg([...how, '--', from, directory], site)
    orderFileList(directory)
  },
}
