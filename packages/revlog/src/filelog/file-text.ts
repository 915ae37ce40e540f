/**
 * The text of a filelog revision: the file's content, behind a block of metadata when the file was
 * copied (`copy`, `copyrev`) or was censored. Content that itself looks like such a block gets an
 * empty one in front.
 */
import { RevlogError } from '../errors.ts'
import { type ByteString, bufferOver, bytesOf } from '../format/byte-string.ts'

/** A file revision: its content and what is recorded beside it. */
export interface FileText {
  /** Metadata by key, in stored order; empty for nearly every file. */
  readonly metadata: ReadonlyMap<ByteString, ByteString>
  readonly content: Uint8Array
}

/** What opens and closes the block. */
const MARK = '\x01\n'

const NO_METADATA: ReadonlyMap<ByteString, ByteString> = new Map()

/** Reads a filelog text; the content is a view of it. A block without an end is `corrupt`. */
export function parseFileText(text: Uint8Array): FileText {
  if (!startsWithMark(text)) return { metadata: NO_METADATA, content: text }
  const buffer = bufferOver(text)
  const end = buffer.indexOf(MARK, MARK.length, 'latin1')
  if (end < 0) throw new RevlogError('corrupt', 'file metadata has no end')
  const metadata = new Map<ByteString, ByteString>()
  for (const line of buffer.toString('latin1', MARK.length, end).split('\n')) {
    if (line === '') continue
    const colon = line.indexOf(': ')
    if (colon < 0) throw new RevlogError('corrupt', `file metadata is ${JSON.stringify(line)}`)
    metadata.set(line.slice(0, colon), line.slice(colon + 2))
  }
  return { metadata, content: text.subarray(end + MARK.length) }
}

/** The text of a file revision. Metadata that the format cannot hold throws `usage`. */
export function serializeFileText({ metadata, content }: FileText): Uint8Array {
  if (metadata.size === 0 && !startsWithMark(content)) return content
  let block = MARK
  for (const [key, value] of metadata) {
    const line = `${key}: ${value}`
    if (key === '' || key.includes(': ') || line.includes('\n') || line.startsWith('\x01')) {
      throw new RevlogError('usage', `file metadata cannot hold ${JSON.stringify(line)}`)
    }
    block += `${line}\n`
  }
  return Buffer.concat([bytesOf(block + MARK), content])
}

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 1 && bytes[1] === 0x0a
}
