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
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const width = 1 << sizeFlag
  if (at + width > frame.length) return undefined
  if (width === 1) return view.getUint8(at)
  if (width === 2) return view.getUint16(at, true) + 256
  if (width === 4) return view.getUint32(at, true)
  return Number(view.getBigUint64(at, true))
}
