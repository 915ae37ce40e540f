/** Who waits for a job of one pool in this process, in the order in which they came. */
import type { Delivery, NextRequest } from './courier.ts'
import { startTimer } from './waiting-room.ts'

/** One who waits. Answered once; later answers do nothing. */
export interface Asker {
  /** Whether nothing is an answer once one has looked. */
  readonly onlyLooks: boolean
  answer(delivery: Delivery | null): void
  fail(error: unknown): void
}

/** All who wait. */
export interface Askers {
  /** Resolves with what is answered, or with null when the time is over or the signal raised. */
  join(request: Omit<NextRequest, 'pool'>): Promise<Delivery | null>
  first(): Asker | null
  all(): readonly Asker[]
}

/** Nobody yet. Who only looks leaves after `lookMillis`, unless answered before. */
export const openAskers = (lookMillis: number): Askers => {
  const askers = new Set<Asker>()
  const join = ({ waitMillis, signal }: Omit<NextRequest, 'pool'>): Promise<Delivery | null> =>
    new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        if (!askers.delete(asker)) return
        stopTimer()
        signal?.removeEventListener('abort', end)
        settle()
      }
      const asker: Asker = {
        onlyLooks: waitMillis <= 0,
        answer: (delivery) => leave(() => resolve(delivery)),
        fail: (error) => leave(() => reject(error)),
      }
      const end = (): void => asker.answer(null)
      const stopTimer = startTimer(asker.onlyLooks ? lookMillis : waitMillis, end)
      signal?.addEventListener('abort', end)
      askers.add(asker)
    })
  return { join, first: () => [...askers][0] ?? null, all: () => [...askers] }
}
