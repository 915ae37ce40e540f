/** Where consumers wait without looking: each sleeps until its pool is called or its time is up. */

/** The consumers that are asleep, in the order in which they came. */
export interface WaitingRoom {
  /** Resolves when `pool` is called, when the signal is raised, or after `millis` if not null. */
  sleep(pool: string, millis: number | null, signal: AbortSignal): Promise<void>
  /** Wakes everybody who waits for this pool. */
  call(pool: string): void
}

/** The longest that a timer of Node can wait: 2^31 - 1 milliseconds; more would fire at once. */
const longestTimerMillis = 2_147_483_647

/** Calls `wake` after `millis`. Returns what calls it off. */
export const startTimer = (millis: number, wake: () => void): (() => void) => {
  const timer = setTimeout(wake, Math.min(Math.max(millis, 0), longestTimerMillis))
  return () => clearTimeout(timer)
}

/** An empty waiting room. */
export const openWaitingRoom = (): WaitingRoom => {
  const sleepers = new Set<{ readonly pool: string; readonly wake: () => void }>()
  return {
    sleep: (pool, millis, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          stopTimer?.()
          signal.removeEventListener('abort', wake)
          sleepers.delete(sleeper)
          resolve()
        }
        const sleeper = { pool, wake }
        const stopTimer = millis === null ? null : startTimer(millis, wake)
        signal.addEventListener('abort', wake)
        sleepers.add(sleeper)
      }),
    call: (pool) => {
      for (const sleeper of [...sleepers]) if (sleeper.pool === pool) sleeper.wake()
    },
  }
}
