/**
 * The text of a manifest revision: one line `path NUL node flag` a file, sorted by the path's bytes.
 * Paths are byte strings. Looking one path up does not parse the rest.
 */
import { RevlogError } from '../errors.ts'
import { type ByteString, bufferOver, byteString, bytesOf } from '../format/byte-string.ts'

/** What kind of file it is: plain, executable, symbolic link. */
export type ManifestFlag = '' | 'x' | 'l'

/** One file of a manifest. */
export interface ManifestEntry {
  readonly path: ByteString
  /** Node in the file's own revlog, 40 hexadecimal digits. */
  readonly nodeHex: string
  readonly flag: ManifestFlag
}

const HEX_LENGTH = 40

/** All entries, in order. Throws `corrupt`; a tree manifest's directories are `unknown-format`. */
export function parseManifest(text: Uint8Array): ManifestEntry[] {
  if (text.length === 0) return []
  const whole = byteString(text)
  if (!whole.endsWith('\n')) throw new RevlogError('corrupt', 'a manifest ends inside a line')
  let before = ''
  return whole
    .slice(0, -1)
    .split('\n')
    .map((line, at) => {
      const entry = parseManifestLine(line)
      if (at > 0 && entry.path <= before) {
        throw new RevlogError(
          'corrupt',
          `a manifest is not sorted at ${JSON.stringify(entry.path)}`,
        )
      }
      before = entry.path
      return entry
    })
}

/** The text of a manifest. Entries are sorted here. Throws `usage` for what the format cannot hold. */
export function serializeManifest(entries: readonly ManifestEntry[]): Uint8Array {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  sorted.forEach(({ path, nodeHex }, at) => {
    if (
      path === '' ||
      path.includes('\0') ||
      path.includes('\n') ||
      path === sorted[at - 1]?.path
    ) {
      throw new RevlogError('usage', `a manifest cannot hold the path ${JSON.stringify(path)}`)
    }
    if (!isNodeHex(nodeHex)) throw new RevlogError('usage', `${path}: ${nodeHex} is not a node`)
  })
  return bytesOf(sorted.map(({ path, nodeHex, flag }) => `${path}\0${nodeHex}${flag}\n`).join(''))
}

/** The entry of one path, or undefined; only that line is parsed. */
export function findInManifest(text: Uint8Array, path: ByteString): ManifestEntry | undefined {
  const buffer = bufferOver(text)
  const key = `${path}\0`
  let at = 0
  if (buffer.toString('latin1', 0, key.length) !== key) {
    at = buffer.indexOf(`\n${key}`, 0, 'latin1') + 1
    if (at === 0) return undefined
  }
  const end = buffer.indexOf(0x0a, at)
  if (end < 0) throw new RevlogError('corrupt', 'a manifest ends inside a line')
  return parseManifestLine(buffer.toString('latin1', at, end))
}

/** One line without its end. Throws `corrupt`. */
export function parseManifestLine(line: ByteString): ManifestEntry {
  const nul = line.indexOf('\0')
  const nodeHex = line.slice(nul + 1, nul + 1 + HEX_LENGTH)
  if (nul <= 0 || !isNodeHex(nodeHex)) {
    throw new RevlogError('corrupt', `a manifest line is ${JSON.stringify(line)}`)
  }
  return { path: line.slice(0, nul), nodeHex, flag: parseFlag(line.slice(nul + 1 + HEX_LENGTH)) }
}

function parseFlag(flag: string): ManifestFlag {
  if (flag === '' || flag === 'x' || flag === 'l') return flag
  throw new RevlogError('unknown-format', `a manifest has the unknown flag ${JSON.stringify(flag)}`)
}

function isNodeHex(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}
