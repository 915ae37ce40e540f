export { type CompressionName, compressChunk, decompressChunk } from './compression/index.ts'
export { applyDeltas, computeDelta } from './delta/index.ts'
