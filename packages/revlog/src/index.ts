export {
  ACCESS_MODES,
  type AccessMode,
  type AccessRecord,
  DEFAULT_ACCESS_MODE,
  DEFAULT_MMAP_THRESHOLD_BYTES,
  isAccessMode,
} from './bytes/access.ts'
export { type ByteSource, type OpenByteSourceOptions, openByteSource } from './bytes/byte-source.ts'
export { type CompressionName, compressChunk, decompressChunk } from './compression/index.ts'
export { applyDeltas, computeDelta } from './delta/index.ts'
export { RevlogError, type RevlogErrorCode } from './errors.ts'
export * from './format/constants.ts'
export { mergeHeader, parseHeader, type RevlogHeader, serializeHeader } from './format/header.ts'
export { type IndexEntry, parseIndexEntry, serializeIndexEntry } from './format/index-entry.ts'
export { hashText } from './reader/hash-text.ts'
export { type OpenRevlogOptions, openRevlog, type Revlog } from './reader/revlog.ts'
export type { RevlogIndex } from './reader/revlog-index.ts'
export {
  createRepository,
  type FileChange,
  type NewChangeset,
  type RepositoryWriter,
  type WrittenChangeset,
} from './repository/create.ts'
export { DEFAULT_REPOSITORY_FORMAT, type RepositoryFormat } from './repository/repository-layout.ts'
export {
  type AppendedRevision,
  createTextCache,
  type NewRevision,
  openRevlogWriter,
  type RevlogWriter,
  type RevlogWriterOptions,
  type TextCache,
} from './writer/index.ts'
