/** Source `clone`: a repository of this host or of another, at some revisions, by hg's own clone. */
import { resolve } from 'node:path'
import { orderFileList } from './history-files.ts'
import { isPath, refuseLocation, revisionPattern } from './locations.ts'
import { runHg } from './programs.ts'
import type { SourceKind } from './source-kind.ts'

export const clone: SourceKind = {
  name: 'clone',
  summary: 'a Mercurial repository by path or URL, cloned with hg',
  options: [
    {
      name: 'revisions',
      summary: 'which revisions, with their ancestors; all by default',
      required: false,
      many: true,
      pattern: revisionPattern,
    },
  ],
  refusalOf: (location) => refuseLocation(location, ['http', 'https', 'ssh']),
  keyOf: ({ location, options }) => ({
    place: isPath(location) ? resolve(location) : location,
    revisions: options['revisions'] ?? [],
  }),
  fetch: async ({ location, options }, { directory, ...site }) => {
    const from = isPath(location) ? resolve(location) : location
    const revisions = (options['revisions'] ?? []).map((revision) => `--rev=${revision}`)
    // Pulled, so that the store is written in the same formats whatever those of the source are.
    const how = ['clone', '--quiet', '--noupdate', '--pull', ...revisions]
    await runHg([...how, '--', from, directory], site)
    orderFileList(directory)
  },
}
