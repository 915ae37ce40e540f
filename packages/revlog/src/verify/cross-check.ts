/**
 * The third step of a check: files that changesets list and no manifest has, and the reverse.
 */
import type { ByteString } from '../format/byte-string.ts'
import type { Repository } from '../repository/open.ts'
import type { CheckState } from './check-changesets.ts'
import { openFilelog } from './open-filelog.ts'

/** Compares what changesets list with what manifests have. */
export function crossCheck(repository: Repository, state: CheckState): void {
  const { changelog, manifest, findings, links } = state
  const paths = links.sortedPaths()
  if (manifest.length > 0) {
    for (const name of paths) {
      const id = links.pathId(name)
      const [linkRev] = links.changesetsOf(id)
      if (linkRev === undefined || links.hasNodes(id)) continue
      findings.error({ name, linkRev }, 'in changeset but not in manifest')
    }
  }
  if (changelog.length === 0) return
  for (const name of paths) {
    const id = links.pathId(name)
    if (!links.hasNodes(id) || links.changesetsOf(id).length > 0) continue
    findings.error(
      { name, linkRev: firstLink(repository, state, name) },
      'in manifest but not in changeset',
    )
  }
}

/** The first changeset that brought a revision of the file, by the file's own revlog. */
function firstLink(
  repository: Repository,
  { links }: CheckState,
  path: ByteString,
): number | undefined {
  const filelog = openFilelog(repository, path)
  if (typeof filelog === 'string') return undefined
  try {
    let first: number | undefined
    for (const { node } of links.leftNodes(links.pathId(path))) {
      const rev = filelog.findRev(node)
      // Mercurial gives up at the first that is not there.
      if (rev === undefined || rev < 0) return undefined
      first = Math.min(first ?? filelog.index.linkRev(rev), filelog.index.linkRev(rev))
    }
    return first
  } finally {
    filelog.close()
  }
}
