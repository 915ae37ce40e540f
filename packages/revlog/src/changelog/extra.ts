/**
 * The extras of a changeset: `key:value` items joined by NUL on the date line, with the characters
 * that would break the line or the list written as escapes.
 */
import { RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\0', '\\0'],
])

const UNESCAPES: ReadonlyMap<string, string> = new Map(
  [...ESCAPES].map(([plain, escaped]) => [escaped, plain]),
)

/** Reads the extras. An item without a colon is `corrupt`. */
export function parseExtra(text: ByteString): ReadonlyMap<ByteString, ByteString> {
  const extra = new Map<ByteString, ByteString>()
  for (const item of text.split('\0')) {
    if (item === '') continue
    const plain = unescapeItem(item)
    const colon = plain.indexOf(':')
    if (colon < 0)
      throw new RevlogError('corrupt', `a changeset's extra is ${JSON.stringify(item)}`)
    extra.set(plain.slice(0, colon), plain.slice(colon + 1))
  }
  return extra
}

/** The extras as text, sorted by key. Throws `usage` for a key that is empty or has a colon. */
export function serializeExtra(extra: ReadonlyMap<ByteString, ByteString>): ByteString {
  return [...extra]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => {
      if (key === '' || key.includes(':')) {
        throw new RevlogError('usage', `an extra's key cannot be ${JSON.stringify(key)}`)
      }
      return escapeItem(`${key}:${value}`)
    })
    .join('\0')
}

function escapeItem(plain: string): string {
  return plain.replace(/[\\\n\r\0]/g, (char) => ESCAPES.get(char) ?? char)
}

function unescapeItem(item: string): string {
  if (!item.includes('\\')) return item
  return item.replace(/\\[\\nr0]/g, (escaped) => UNESCAPES.get(escaped) ?? escaped)
}
