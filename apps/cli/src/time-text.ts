/** Durations and moments as a person reads them. */

/** `850 ms`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export const durationText = (seconds: number): string => {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** `2026-11-30 22:06`, in UTC. */
export const momentText = (millis: number): string =>
  new Date(millis).toISOString().slice(0, 16).replace('T', ' ')
