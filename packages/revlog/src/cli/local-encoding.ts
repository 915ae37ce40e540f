/**
 * The encoding in which user names, messages and names of branches, tags and bookmarks are printed.
 * As Mercurial under Python 3.7 or later: UTF-8 unless HGENCODING says otherwise, also in the C
 * locale. What an encoding lacks is printed as `?`. File names are printed as their bytes.
 */
import { RevlogError } from '../errors.ts'
import {
  type ByteString,
  decodeByteString,
  isAscii,
  utf8ByteString,
} from '../format/byte-string.ts'

/** The environment variables that matter here. */
export interface CliEnvironment {
  readonly HGENCODING?: string | undefined
  /** All of it is handed on to a child. */
  readonly [name: string]: string | undefined
}

/** Turns a stored byte string (UTF-8, or Latin-1 if it is not) into one of the local encoding. */
export type ToLocal = (text: ByteString) => ByteString

/** Last code point of the encodings that are told apart here. */
const LAST_CODE_POINT: ReadonlyMap<string, number> = new Map([
  ['ascii', 0x7f],
  ['usascii', 0x7f],
  ['ansix3.41968', 0x7f],
  ['latin1', 0xff],
  ['iso88591', 0xff],
])

/** The conversion for the environment's HGENCODING. Throws `usage` for an unknown encoding. */
export function localEncoding(env: CliEnvironment): ToLocal {
  const name = env.HGENCODING ?? ''
  const key = name.toLowerCase().replace(/[-_ ]/g, '')
  if (key === '' || key === 'utf8') return toUtf8
  const last = LAST_CODE_POINT.get(key)
  if (last === undefined) {
    throw new RevlogError('usage', `unknown encoding: ${name} (known: utf-8, ascii, latin1)`)
  }
  return (text) => (isAscii(text) ? text : limitTo(decodeByteString(text), last))
}

function toUtf8(text: ByteString): ByteString {
  return isAscii(text) ? text : utf8ByteString(decodeByteString(text))
}

function limitTo(text: string, last: number): ByteString {
  let limited = ''
  for (const char of text) limited += (char.codePointAt(0) ?? 0) > last ? '?' : char
  return limited
}
