/**
 * The first step of a check: every changeset's text, which manifest it has and which files it lists.
 */
import { RevlogError, reasonOf } from '../errors.ts'
import { type ByteString, bufferOver } from '../format/byte-string.ts'
import { NODE_SIZE } from '../format/constants.ts'
import type { Revlog } from '../reader/revlog.ts'
import { checkSize, entryCheck } from './check-revlog.ts'
import type { Findings } from './findings.ts'
import type { LinkTable } from './link-table.ts'
import { type WalkedRevlog, walkTexts } from './walk-texts.ts'

/** What the steps of a check share. */
export interface CheckState {
  readonly changelog: Revlog
  readonly manifest: Revlog
  readonly findings: Findings
  /** What changesets and manifests say of files. */
  readonly links: LinkTable
}

/** What changesets say of manifests. */
export interface ManifestLinks {
  /** By manifest node in hexadecimal digits, the changesets that have it. */
  readonly changesetsOf: ReadonlyMap<string, readonly number[]>
}

const NULL_HEX = '0'.repeat(2 * NODE_SIZE)

const NEWLINE = 0x0a

/** Checks all changesets. */
export function checkChangesets(state: CheckState, walked: WalkedRevlog): ManifestLinks {
  const { changelog, manifest, findings, links } = state
  const changesetsOf = new Map<string, number[]>()
  if (changelog.length === 0) {
    if (manifest.length > 0) findings.error({ linkRev: 0 }, 'empty or missing changelog')
    return { changesetsOf }
  }
  checkSize(walked, 'changelog', findings)
  const { index, length } = changelog
  const checkEntry = entryCheck({ index, name: 'changelog', changesets: length, findings })
  walkTexts(walked, (rev, found) => {
    checkEntry(rev, [rev])
    const told = 'problem' in found ? found : parseLinks(found.text)
    if ('problem' in told) {
      const short = index.nodeHex(rev).slice(0, 12)
      findings.error({ linkRev: rev }, `unpacking changeset ${short}: ${told.problem}`)
      return
    }
    if (told.manifestHex !== NULL_HEX) {
      const revs = changesetsOf.get(told.manifestHex)
      if (revs === undefined) changesetsOf.set(told.manifestHex, [rev])
      else revs.push(rev)
    }
    for (const file of told.files) links.addChangeset(links.pathId(file), rev)
  })
  return { changesetsOf }
}

interface ChangesetLinks {
  readonly manifestHex: string
  readonly files: readonly ByteString[]
}

/** A changeset's manifest and files; its message, most of its text, is not looked at. */
function parseLinks(text: Uint8Array): ChangesetLinks | { readonly problem: string } {
  if (text.length === 0) return { manifestHex: NULL_HEX, files: [] }
  const buffer = bufferOver(text)
  try {
    const userAt = buffer.indexOf(NEWLINE) + 1
    const dateAt = buffer.indexOf(NEWLINE, userAt) + 1
    const dateEnd = buffer.indexOf(NEWLINE, dateAt)
    if (userAt === 0 || dateAt === 0 || dateEnd < 0) {
      throw new RevlogError('corrupt', 'a changelog text ends before its description')
    }
    const manifestHex = buffer.toString('latin1', 0, userAt - 1)
    if (!/^[0-9a-f]{40}$/.test(manifestHex)) {
      throw new RevlogError('corrupt', `its manifest is ${JSON.stringify(manifestHex)}`)
    }
    const filesEnd = buffer.indexOf('\n\n', dateEnd, 'latin1')
    if (filesEnd < 0) {
      throw new RevlogError('corrupt', 'a changelog text ends before its description')
    }
    if (filesEnd === dateEnd) return { manifestHex, files: [] }
    return { manifestHex, files: buffer.toString('latin1', dateEnd + 1, filesEnd).split('\n') }
  } catch (cause) {
    return { problem: reasonOf(cause) }
  }
}
