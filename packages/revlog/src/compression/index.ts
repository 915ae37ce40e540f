/** The face of chunk compression: the two directions and the name of what they speak. */
export { type CompressionName, compressChunk, packChunk } from './compress-chunk.ts'
export { decompressChunk, decompressView, type PlainSize } from './decompress-chunk.ts'
