/**
 * The header of a Zstandard frame, read far enough to know how much memory its content needs
 * before any is allocated. Source: RFC 8878, section 3.1.1.1.
 */

/** The content size that a frame declares, in bytes; nothing when it declares none. */
export function zstdContentSize(frame: Uint8Array): number | undefined {
  const descriptor = frame[4]
  if (descriptor === undefined) return undefined
  const singleSegment = (descriptor & 0x20) !== 0
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeFlag = descriptor >>> 6
  if (sizeFlag === 0 && !singleSegment) return undefined
  const at = 5 + (singleSegment ? 0 : 1) + dictionaryBytes
  const width = 1 << sizeFlag
  if (at + width > frame.length) return undefined
  // Little-endian; beyond 2^53 it is not exact, and no size that anybody takes memory for.
  let size = 0
  for (let i = width - 1; i >= 0; i--) size = size * 256 + (frame[at + i] ?? 0)
  return width === 2 ? size + 256 : size
}
