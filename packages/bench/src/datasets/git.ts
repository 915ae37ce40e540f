/**
 * Source `git`: a git repository of this host or of another, converted by hg's convert extension. It is
 * cloned first, bare: a repository's own configuration stays where it is.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { orderFileList } from './history-files.ts'
import { absolute, refuseLocation } from './locations.ts'
import { runGit, runHg } from './programs.ts'
import { keyOfRevisions, revisionArguments, revisionsOption } from './revisions.ts'
import type { SourceKind } from './source-kind.ts'

export const git: SourceKind = {
  name: 'git',
  summary: 'a git repository by path or URL, converted with hg convert',
  options: [revisionsOption('those of all branches')],
  refusalOf: (location) => refuseLocation(location, ['git', 'http', 'https', 'ssh']),
  keyOf: keyOfRevisions,
  fetch: async (source, { directory, ...site }) => {
    const bare = join(site.scratch, 'source.git')
    const from = absolute(source.location)
    await runGit(['clone', '--quiet', '--bare', '--template=', '--', from, bare], site)
    const revisions = revisionArguments(source)
    const how = ['convert', '--quiet', '--source-type=git', '--dest-type=hg', ...revisions]
    const settings = ['extensions.convert=']
    await runHg([...how, '--', bare, directory], { ...site, settings })
    rmSync(bare, { recursive: true })
    orderFileList(directory)
  },
}
