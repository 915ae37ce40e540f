/**
 * Recently used texts of any number of revlogs under one limit, so that writing next to a recent
 * revision does not rebuild its text from the delta chain.
 */

/** Texts by owner and revision; the least recently used go first when the limit is reached. */
export interface TextCache {
  get(owner: number, rev: number): Uint8Array | undefined
  set(owner: number, rev: number, text: Uint8Array): void
  /** A number for a revlog that has none yet. */
  register(): number
}

/** An entry costs about this much beside its text. */
const ENTRY_OVERHEAD_BYTES = 200

/** A cache that keeps at most `limitBytes` of texts (and always the last one). */
export function createTextCache(limitBytes: number): TextCache {
  const texts = new Map<string, Uint8Array>()
  let bytes = 0
  let owners = 0
  const drop = (key: string): void => {
    const text = texts.get(key)
    if (text === undefined) return
    texts.delete(key)
    bytes -= text.length + ENTRY_OVERHEAD_BYTES
  }
  return {
    register: () => owners++,
    get(owner, rev) {
      const key = `${owner}:${rev}`
      const text = texts.get(key)
      if (text === undefined) return undefined
      texts.delete(key)
      texts.set(key, text)
      return text
    },
    set(owner, rev, text) {
      const key = `${owner}:${rev}`
      drop(key)
      texts.set(key, text)
      bytes += text.length + ENTRY_OVERHEAD_BYTES
      for (const oldest of texts.keys()) {
        if (bytes <= limitBytes || oldest === key) break
        drop(oldest)
      }
    },
  }
}
