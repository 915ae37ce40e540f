/** The face of the write side of a revlog. */
export {
  type AppendedRevision,
  type NewRevision,
  openRevlogWriter,
  type RevlogWriter,
  type RevlogWriterOptions,
} from './revlog-writer.ts'
export { createTextCache, type TextCache } from './text-cache.ts'
