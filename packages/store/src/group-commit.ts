/**
 * Group commit: writes that come together are made durable together. A commit waits for the disk, and
 * what it waits for is the same for one write as for twenty: those that arrive within one turn of the
 * event loop, or while the previous commit is under way, share the next. Each has a savepoint of its
 * own, so that one which fails takes nothing of the others with it, and each is answered only once the
 * commit has come back.
 */
import type { Context } from './context.ts'

/** Writes that share their commits. */
export interface GroupCommit {
  /**
   * Does `work` in the next commit. Resolves with what it returned once that is durable; rejects with
   * what it threw, when nothing of it was written, or with why the commit failed.
   */
  write<Answer>(work: () => Answer): Promise<Answer>
  /** Commits what waits, at once: before the database is closed. */
  flush(): void
}

interface Waiting {
  /** Works inside the transaction; returns how to answer once that is committed. */
  readonly work: () => () => void
  readonly fail: (reason: unknown) => void
}

const waitingFor = <Answer>(
  context: Context,
  work: () => Answer,
  { resolve, fail }: { resolve: (answer: Answer) => void; fail: (reason: unknown) => void },
): Waiting => ({
  fail,
  work: () => {
    try {
      const answer = context.write(work)
      return () => resolve(answer)
    } catch (reason) {
      // The savepoint was rolled back; where the transaction itself is gone, all others fail too.
      if (!context.database.inTransaction) throw reason
      return () => fail(reason)
    }
  },
})

/** Nothing waits yet. */
export const openGroupCommit = (context: Context): GroupCommit => {
  let waiting: Waiting[] = []
  let turn: NodeJS.Immediate | null = null
  const flush = (): void => {
    if (turn !== null) clearImmediate(turn)
    turn = null
    const group = waiting
    waiting = []
    if (group.length === 0) return
    try {
      const answers = context.write(() => group.map(({ work }) => work()))
      for (const answer of answers) answer()
    } catch (reason) {
      for (const { fail } of group) fail(reason)
    }
  }
  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        waiting.push(waitingFor(context, work, { resolve, fail: reject }))
        turn ??= setImmediate(flush)
      }),
    flush,
  }
}
