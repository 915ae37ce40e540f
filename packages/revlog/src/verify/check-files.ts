/**
 * The last step of a check: every file's revlog. Each text is made and hashed, its length compared
 * with the index; revisions must be those that the manifests name; what a file was copied from must
 * be there; and the store must list the revlog's files.
 */
import { parseFileText } from '../filelog/file-text.ts'
import type { ByteString } from '../format/byte-string.ts'
import { NODE_SIZE, NULL_REV } from '../format/constants.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { Repository } from '../repository/open.ts'
import type { CheckState } from './check-changesets.ts'
import { entryCheck, fileBytes, shortNode, surplusBytes } from './check-revlog.ts'
import { type CopySource, type CopySources, openCopySources } from './copy-sources.ts'
import { openFilelog } from './open-filelog.ts'
import { type StoreFiles, storeFiles } from './store-files.ts'
import { CENSORED, walkTexts } from './walk-texts.ts'

/** What was checked. */
export interface CheckedFiles {
  readonly files: number
  /** Revisions of files. */
  readonly changes: number
}

interface FileState extends CheckState {
  readonly repository: Repository
  readonly stored: StoreFiles
  readonly sources: CopySources
}

/** Checks the files of all changesets and manifests. Throws `corrupt` for a damaged fncache. */
export function checkFiles(repository: Repository, state: CheckState): CheckedFiles {
  const stored = storeFiles(repository)
  const files = { ...state, repository, stored, sources: openCopySources(repository) }
  const paths = state.links.sortedPaths()
  let changes = 0
  try {
    for (const path of paths) changes += checkFile(files, path)
  } finally {
    files.sources.close()
  }
  for (const name of stored.left()) state.findings.warning(`warning: orphan data file '${name}'`)
  return { files: paths.length, changes }
}

/** Gives the number of revisions. */
function checkFile(state: FileState, path: ByteString): number {
  const { findings, links, changelog, manifest } = state
  const pathId = links.pathId(path)
  const changesets = links.changesetsOf(pathId)
  const [linkRev] = changesets
  const filelog = openFilelog(state.repository, path)
  if (typeof filelog === 'string') {
    findings.error({ name: path, linkRev }, `broken revlog! (${filelog})`)
    return 0
  }
  try {
    const dataBytes = takeStored(state, path, filelog)
    if (filelog.length === 0 && changelog.length + manifest.length > 0) {
      findings.error({ linkRev }, `empty or missing ${path}`)
    } else {
      checkRevisions(state, { path, pathId, changesets, filelog, dataBytes })
    }
    for (const { node, linkRev: named } of links.leftNodes(pathId)) {
      const what = `manifest refers to unknown revision ${shortNode(node)}`
      findings.error({ name: path, linkRev: named }, what)
    }
    return filelog.length
  } finally {
    filelog.close()
  }
}

/** Takes the revlog's files from the list; gives the bytes of its data file, if it has one. */
function takeStored(
  { repository, stored, findings }: FileState,
  path: ByteString,
  filelog: Revlog,
): number | undefined {
  const missing = (name: ByteString): void =>
    findings.fncacheWarning(` warning: revlog '${name}' not in fncache!`)
  const [index, data] = [`data/${path}.i`, `data/${path}.d`]
  if (!stored.take(index) || filelog.access.bytes === 0) missing(index)
  if (filelog.index.inline || filelog.access.bytes === 0) return undefined
  const dataBytes = fileBytes(repository.storePath(data))
  if (!stored.take(data) || (dataBytes ?? 0) === 0) missing(data)
  return dataBytes
}

interface CheckedFilelog {
  readonly path: ByteString
  readonly pathId: number
  readonly changesets: readonly number[]
  readonly filelog: Revlog
  readonly dataBytes: number | undefined
}

function checkRevisions(state: FileState, file: CheckedFilelog): void {
  const { path, pathId, changesets, filelog } = file
  const { findings, links, manifest, changelog, sources } = state
  const { index } = filelog
  const copies = checkTexts(state, file)
  const entries = { index, name: path, changesets: changelog.length, findings }
  const checkEntry = entryCheck(entries)
  const node = new Uint8Array(NODE_SIZE)
  for (let rev = 0; rev < index.length; rev++) {
    const linkRev = checkEntry(rev, changesets)
    index.copyNode(rev, node, 0)
    const named = links.takeNode(pathId, node)
    if (!named && links.hasNodes(pathId) && manifest.length > 0) {
      findings.error({ name: path, linkRev }, `${shortNode(node)} not in manifests`)
    }
    const copy = copies.get(rev)
    if (copy === undefined) continue
    const problem = sources.problemOf(copy, shortNode(node))
    if (problem !== undefined) findings.error({ name: path, linkRev }, problem)
  }
}

/** Checks the texts; gives by revision what was copied. */
function checkTexts(
  { findings, repository }: FileState,
  { path, changesets, filelog, dataBytes }: CheckedFilelog,
): ReadonlyMap<number, CopySource> {
  const { index } = filelog
  const copies = new Map<number, CopySource>()
  const surplus = surplusBytes(filelog, dataBytes)
  if (surplus !== 0) {
    findings.error({ name: path, linkRev: changesets[0] }, `data length off by ${surplus} bytes`)
  }
  const name = `data/${path}`
  const dataPath = repository.storePath(`${name}.d`)
  walkTexts({ revlog: filelog, name, dataBytes, dataPath }, (rev, found) => {
    const place = { name: path, linkRev: index.linkRev(rev) }
    if ('problem' in found) {
      findings.error(place, textProblem(index.nodeHex(rev), found.problem))
      return
    }
    const { text } = found
    const expected = index.uncompressedLength(rev)
    if (expected >= 0 && expected !== text.length) {
      findings.error(place, `unpacked size is ${text.length}, ${expected} expected`)
    }
    const copy = text[0] === COPY_MARK && index.p1(rev) === NULL_REV ? copySource(text) : undefined
    if (copy !== undefined) copies.set(rev, copy)
  })
  return copies
}

/** What begins a text with metadata. */
const COPY_MARK = 0x01

function textProblem(nodeHex: string, problem: string): string {
  return problem === CENSORED ? problem : `unpacking ${nodeHex.slice(0, 12)}: ${problem}`
}

function copySource(text: Uint8Array): CopySource | undefined {
  try {
    const { metadata } = parseFileText(text)
    const [path, nodeHex] = [metadata.get('copy'), metadata.get('copyrev')]
    if (path === undefined || nodeHex === undefined || !/^[0-9a-f]{40}$/.test(nodeHex))
      return undefined
    return { path, node: Buffer.from(nodeHex, 'hex') }
  } catch {
    // A text that only begins like metadata is the file's own.
    return undefined
  }
}
