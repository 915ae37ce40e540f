/**
 * Source `git`: a git repository of this host or of another, converted by hg's convert extension. It is
 * cloned first, bare: a repository's own configuration stays where it is.
 */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { orderFileList } from './history-files.ts'
import { isPath, refuseLocation, revisionPattern } from './locations.ts'
import { runGit, runHg } from './programs.ts'
import type { SourceKind } from './source-kind.ts'

export const git: SourceKind = {
  name: 'git',
  summary: 'a git repository by path or URL, converted with hg convert',
  options: [
    {
      name: 'revisions',
      summary: 'which revisions, with their ancestors; those of all branches by default',
      required: false,
      many: true,
      pattern: revisionPattern,
    },
  ],
  refusalOf: (location) => refuseLocation(location, ['git', 'http', 'https', 'ssh']),
  keyOf: ({ location, options }) => ({
    place: isPath(location) ? resolve(location) : location,
    revisions: options['revisions'] ?? [],
  }),
  fetch: async ({ location, options }, { directory, ...site }) => {
    const bare = join(site.scratch, 'source.git')
    const from = isPath(location) ? resolve(location) : location
    await runGit(['clone', '--quiet', '--bare', '--template=', '--', from, bare], site)
    const revisions = (options['revisions'] ?? []).map((revision) => `--rev=${revision}`)
    const how = ['convert', '--quiet', '--source-type=git', '--dest-type=hg', ...revisions]
    const settings = ['extensions.convert=']
    await runHg([...how, '--', bare, directory], { ...site, settings })
    rmSync(bare, { recursive: true })
    orderFileList(directory)
  },
}
