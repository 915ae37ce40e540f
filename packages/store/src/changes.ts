/** Tells those who wait that something was committed; what was rolled back is told to nobody. */

/** Changes of one open store. */
export interface Changes {
  /** Something was changed in the transaction that is open. */
  note(): void
  /** The transaction was committed: tells everybody if something was noted. */
  committed(): void
  /** The transaction was rolled back. */
  rolledBack(): void
  /** Calls `listener` after each commit of a change, until what it gives is called. */
  listen(listener: () => void): () => void
}

/** Nobody listens yet. */
export const openChanges = (): Changes => {
  const listeners = new Set<() => void>()
  let isNoted = false
  return {
    note: () => {
      isNoted = true
    },
    committed: () => {
      if (!isNoted) return
      isNoted = false
      for (const listener of [...listeners]) listener()
    },
    rolledBack: () => {
      isNoted = false
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
