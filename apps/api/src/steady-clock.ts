/**
 * The clock of the store's leases and times: the wall clock as it was at the start, and what has passed
 * since. A wall clock that is set back would leave a dead worker its block for as long, one that is set
 * forward would take every block from its worker.
 */

/** Milliseconds since 1970 that only go forward, each as long as the last. */
export const steadyClock = (
  wallMillis: () => number,
  passedMillis: () => number,
): (() => number) => {
  const start = wallMillis() - passedMillis()
  return () => start + passedMillis()
}
