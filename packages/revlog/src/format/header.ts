/**
 * The four bytes at the head of an index file: version and format flags. On disk they overlay the
 * offset of revision 0, which is therefore read as 0. Source: `hg help internals.revlogs`.
 */
import { RevlogError } from '../errors.ts'
import { FLAG_GENERALDELTA, FLAG_INLINE_DATA, REVLOG_VERSION } from './constants.ts'

/** What the header of an index file says. */
export interface RevlogHeader {
  readonly version: number
  readonly inline: boolean
  readonly generaldelta: boolean
}

/** Bytes that the header takes. */
export const HEADER_SIZE = 4

/** Names of header flags that exist elsewhere and are refused here (Mercurial 7.2). */
const FOREIGN_FLAGS: ReadonlyMap<number, string> = new Map([
  [1 << 18, 'filelog-meta'],
  [1 << 19, 'delta-info'],
])

/**
 * Reads the header of an index file; `name` is the file's name for messages.
 * Throws `unknown-format` for a version or flag that is not revlog v1's, `corrupt` if cut short.
 */
export function parseHeader(bytes: Uint8Array, name: string): RevlogHeader {
  if (bytes.length < HEADER_SIZE) {
    throw new RevlogError('corrupt', `${name}: ${bytes.length} bytes are too few for a header`)
  }
  const word = new DataView(bytes.buffer, bytes.byteOffset, HEADER_SIZE).getUint32(0)
  const version = word & 0xffff
  if (version !== REVLOG_VERSION) {
    throw new RevlogError(
      'unknown-format',
      `${name}: revlog version ${version} is not known here, only version ${REVLOG_VERSION}`,
    )
  }
  const unknown = (word & ~0xffff & ~(FLAG_INLINE_DATA | FLAG_GENERALDELTA)) >>> 0
  if (unknown !== 0) {
    throw new RevlogError('unknown-format', `${name}: unknown revlog flags ${namesOf(unknown)}`)
  }
  return {
    version,
    inline: (word & FLAG_INLINE_DATA) !== 0,
    generaldelta: (word & FLAG_GENERALDELTA) !== 0,
  }
}

/** The header as its big-endian 32-bit word, to be laid over the first four bytes of revision 0. */
export function serializeHeader(header: RevlogHeader): number {
  return (
    (header.version |
      (header.inline ? FLAG_INLINE_DATA : 0) |
      (header.generaldelta ? FLAG_GENERALDELTA : 0)) >>>
    0
  )
}

/** Lays the header over the serialized entry of revision 0, in place. */
export function mergeHeader(firstEntry: Uint8Array, header: RevlogHeader): void {
  new DataView(firstEntry.buffer, firstEntry.byteOffset, HEADER_SIZE).setUint32(
    0,
    serializeHeader(header),
  )
}

function namesOf(flags: number): string {
  const names: string[] = []
  for (let bit = 16; bit < 32; bit++) {
    const flag = (1 << bit) >>> 0
    if ((flags & flag) !== 0) names.push(FOREIGN_FLAGS.get(flag) ?? `0x${flag.toString(16)}`)
  }
  return names.join(', ')
}
