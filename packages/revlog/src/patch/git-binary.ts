/**
 * A file that is not text inside a patch in git's form: its new content, compressed and written with
 * printable characters. Sources: git's documentation of the extended diff format, and git-apply's
 * "GIT binary patch" as both programs read it.
 */
import { hash } from 'node:crypto'
import { type ByteString, bytesOf } from '../format/byte-string.ts'
import { loadZlib } from '../native/zlib.ts'

/** Digits of git's base 85. */
const DIGITS =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'

/** Bytes that one line carries; its first character says how many: A to Z are 1 to 26, a to z 27 to 52. */
const LINE_BYTES = 52

const NO_BLOB = '0'.repeat(40)

/** Whether a file counts as binary, as hg sees it: there is a NUL in it. */
export function isBinary(content: Uint8Array): boolean {
  return content.includes(0)
}

/** The patch's lines from `index` on; a side that is missing has no blob. */
export function gitBinaryPatch(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): ByteString {
  const content = after ?? new Uint8Array(0)
  const head = `index ${blobHash(before)}..${blobHash(after)}\nGIT binary patch\n`
  return `${head}literal ${content.length}\n${base85Lines(loadZlib().compress(content))}\n`
}

function blobHash(content: Uint8Array | undefined): string {
  if (content === undefined) return NO_BLOB
  return hash('sha1', Buffer.concat([bytesOf(`blob ${content.length}\0`), content]))
}

function base85Lines(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    const line = bytes.subarray(at, at + LINE_BYTES)
    const mark = line.length <= 26 ? 0x40 + line.length : 0x60 + line.length - 26
    text += `${String.fromCharCode(mark)}${base85(line)}\n`
  }
  return text
}

/** Each four bytes, the last filled up with zeros, as five digits. */
function base85(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    let word = 0
    for (let i = 0; i < 4; i++) word = word * 256 + (bytes[at + i] ?? 0)
    let digits = ''
    for (let i = 0; i < 5; i++) {
      digits = (DIGITS[word % 85] ?? '') + digits
      word = Math.floor(word / 85)
    }
    text += digits
  }
  return text
}
