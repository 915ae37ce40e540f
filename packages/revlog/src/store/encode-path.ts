/**
 * Names of store files on disk: a tracked path becomes a name that every file system can hold, with
 * no two names equal where case is ignored. Sources: the Mercurial wiki's fncacheRepoFormat and
 * CaseFoldingPlan pages, and names observed in repositories. Paths are byte strings.
 */
import { createHash } from 'node:crypto'
import type { ByteString } from '../format/byte-string.ts'

/** How store names are encoded in a repository; both are false in layouts older than 2011. */
export interface StoreEncoding {
  /** Reserved names are avoided and long names hashed. */
  readonly fncache: boolean
  /** A leading dot or space is encoded too. */
  readonly dotencode: boolean
}

/** Longest store path that is not hashed. */
const MAX_STORE_PATH = 120
/** In a hashed path: bytes kept of each directory, and of all of them with their slashes. */
const DIR_PREFIX = 8
const MAX_SHORT_DIRS = 8 * (DIR_PREFIX + 1) - 4

/** The store path of an unencoded one such as `data/Foo.txt.i`. */
export function encodeStorePath(path: ByteString, encoding: StoreEncoding): ByteString {
  const dirEncoded = encodeDirs(path)
  if (!encoding.fncache) return encodeChars(dirEncoded)
  const encoded = encodeReserved(encodeChars(dirEncoded), encoding.dotencode)
  return encoded.length > MAX_STORE_PATH ? hashedPath(dirEncoded, encoding.dotencode) : encoded
}

/** Directories that look like revlog files: `foo.i/` becomes `foo.i.hg/`. Also the form in fncache. */
export function encodeDirs(path: ByteString): ByteString {
  return path.replaceAll('.hg/', '.hg.hg/').replaceAll('.i/', '.i.hg/').replaceAll('.d/', '.d.hg/')
}

/** The inverse of encodeDirs. */
export function decodeDirs(path: ByteString): ByteString {
  return path.replaceAll('.d.hg/', '.d/').replaceAll('.i.hg/', '.i/').replaceAll('.hg.hg/', '.hg/')
}

/** Upper case to `_x`, `_` to `__`, and what Windows cannot hold to `~xx`. */
function encodeChars(path: ByteString): ByteString {
  return path.replace(/[A-Z_]/g, (char) => `_${char.toLowerCase()}`).replace(UNSAFE, hexEscape)
}

/** As encodeChars, but one way: upper case only becomes lower case. */
function lowerChars(path: ByteString): ByteString {
  return path.replace(/[A-Z]/g, (char) => char.toLowerCase()).replace(UNSAFE, hexEscape)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is encoded
const UNSAFE = /[\x00-\x1f\x7e-\xff\\:*?"<>|]/g

function hexEscape(char: string): string {
  return `~${char.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** Windows device names, before any extension. */
const RESERVED = /^(?:aux|con|prn|nul|com[1-9]|lpt[1-9])(?:\.|$)/

function encodeReserved(path: ByteString, dotencode: boolean): ByteString {
  return path
    .split('/')
    .map((segment) => encodeSegment(segment, dotencode))
    .join('/')
}

function encodeSegment(segment: ByteString, dotencode: boolean): ByteString {
  if (segment === '') return segment
  let encoded = segment
  if (dotencode && (encoded.startsWith('.') || encoded.startsWith(' '))) {
    encoded = hexEscape(encoded.charAt(0)) + encoded.slice(1)
  } else if (RESERVED.test(encoded)) {
    encoded = encoded.slice(0, 2) + hexEscape(encoded.charAt(2)) + encoded.slice(3)
  }
  if (encoded.endsWith('.') || encoded.endsWith(' ')) {
    encoded = encoded.slice(0, -1) + hexEscape(encoded.charAt(encoded.length - 1))
  }
  return encoded
}

/** `dh/`, the directories' beginnings, as much of the name as fits, and a hash that makes it unique. */
function hashedPath(dirEncoded: ByteString, dotencode: boolean): ByteString {
  const digest = createHash('sha1').update(Buffer.from(dirEncoded, 'latin1')).digest('hex')
  const segments = encodeReserved(lowerChars(dirEncoded).slice('data/'.length), dotencode).split(
    '/',
  )
  const name = segments.at(-1) ?? ''
  const dirs = shortDirs(segments.slice(0, -1))
  const prefix = `dh/${dirs.map((dir) => `${dir}/`).join('')}`
  const extension = extensionOf(name)
  const room = Math.max(0, MAX_STORE_PATH - prefix.length - digest.length - extension.length)
  return prefix + name.slice(0, room) + digest + extension
}

function shortDirs(segments: readonly ByteString[]): ByteString[] {
  const dirs: ByteString[] = []
  let length = 0
  for (const segment of segments) {
    let dir = segment.slice(0, DIR_PREFIX)
    // A name cut at a dot or space would again be one that Windows cannot hold.
    if (dir.endsWith('.') || dir.endsWith(' ')) dir = `${dir.slice(0, -1)}_`
    const total = dirs.length === 0 ? dir.length : length + 1 + dir.length
    if (total > MAX_SHORT_DIRS) break
    dirs.push(dir)
    length = total
  }
  return dirs
}

function extensionOf(name: ByteString): ByteString {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot) : ''
}
