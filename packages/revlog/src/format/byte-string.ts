/**
 * Byte strings: strings in which each character stands for one byte. Paths, user names and messages
 * in a repository are bytes of any encoding; in this form nothing is lost, they compare in byte
 * order as Mercurial sorts them, and they serve as keys. Decoding for people is left to the edge.
 */

/** A string whose characters are bytes (code points 0 to 255). */
export type ByteString = string

/** The bytes as a byte string. */
export function byteString(bytes: Uint8Array): ByteString {
  return bufferOver(bytes).toString('latin1')
}

/** The bytes as hexadecimal digits, two for each. */
export function hexOf(bytes: Uint8Array): string {
  return bufferOver(bytes).toString('hex')
}

/** Whether every character stands for a byte; one that does not would be cut to its low byte. */
export function isByteString(text: string): boolean {
  return !/[\u0100-\uffff]/.test(text)
}

/** The bytes of a byte string. */
export function bytesOf(text: ByteString): Uint8Array {
  return Buffer.from(text, 'latin1')
}

/** Ordinary text as the byte string of its UTF-8 form. */
export function utf8ByteString(text: string): ByteString {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** A byte string decoded: as UTF-8 where it is valid, as ISO-8859-1 otherwise, as Mercurial does. */
export function decodeByteString(text: ByteString): string {
  if (isAscii(text)) return text
  try {
    return strictUtf8.decode(Buffer.from(text, 'latin1'))
  } catch {
    // Not UTF-8: old changesets carry Latin-1, in which every byte is its own character.
    return text
  }
}

/** Text without the white space around it, as bytes know it: a byte of a letter is never taken for it. */
export function stripBytes(text: ByteString): ByteString {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** Blank, and tab, line feed, vertical tab, form feed, carriage return. */
function isWhiteSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

/** The same memory as a Buffer. */
export function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** True if every character is below 128: then all the encodings in question agree. */
export function isAscii(text: ByteString): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}
