/**
 * Reads the index of an existing revlog into the table that appending needs. Entries are checked as
 * far as the writer relies on them: chains go down, chunks follow each other without a gap.
 */
import { existsSync, readFileSync } from 'node:fs'
import { RevlogError } from '../errors.ts'
import { ENTRY_SIZE } from '../format/constants.ts'
import { parseHeader } from '../format/header.ts'
import { type IndexEntry, parseIndexEntry } from '../format/index-entry.ts'
import { IndexTable } from './index-table.ts'
import type { RevlogOnDisk } from './revlog-files.ts'

/** The table and what is on disk. A file that is not there or empty is a new revlog. */
export function loadIndexTable(
  indexPath: string,
  generaldeltaIfNew: boolean,
): { readonly index: IndexTable; readonly onDisk: RevlogOnDisk } {
  const bytes = existsSync(indexPath) ? readFileSync(indexPath) : new Uint8Array(0)
  if (bytes.length === 0) {
    return { index: new IndexTable(generaldeltaIfNew), onDisk: { revisions: 0, inline: true } }
  }
  const { inline, generaldelta } = parseHeader(bytes, indexPath)
  const index = new IndexTable(generaldelta)
  for (let at = 0; at < bytes.length; at += ENTRY_SIZE) {
    const entry = parseIndexEntry(bytes, at)
    const rev = index.append(checked(index, rev0WithoutHeader(entry, at), indexPath))
    if (inline) at += index.compressedLength(rev)
    if (at + ENTRY_SIZE > bytes.length) {
      throw new RevlogError('corrupt', `${indexPath}: revision ${rev} is cut short`)
    }
  }
  return { index, onDisk: { revisions: index.length, inline } }
}

/** The header lies over the first four bytes of revision 0's offset, which is 0. */
function rev0WithoutHeader(entry: IndexEntry, at: number): IndexEntry {
  return at === 0 ? { ...entry, offset: 0 } : entry
}

function checked(index: IndexTable, entry: IndexEntry, indexPath: string): IndexEntry {
  const rev = index.length
  const sound =
    entry.offset === index.dataLength &&
    entry.compressedLength >= 0 &&
    entry.baseRev <= rev &&
    entry.baseRev >= (index.generaldelta ? -1 : 0)
  if (sound) return entry
  throw new RevlogError(
    'corrupt',
    `${indexPath}: revision ${rev} contradicts the ones before it; run \`hg verify\` on the repository`,
  )
}
