/** Where a test that is held in the middle and rejected at the end changes its mind. */

/**
 * The first gap between neighbouring differences, counted from an end, whose shifts the test holds:
 * gap 0, beyond the end, is rejected, the middle one is held, and a gallop from a good guess finds
 * the border between.
 */
export const borderFrom = (
  guess: number,
  middle: number,
  isHeld: (gap: number) => boolean,
): number => {
  const clamped = Math.max(1, Math.min(middle, guess))
  let [rejected, held] = [0, middle]
  let step = 1
  if (isHeld(clamped)) {
    held = clamped
    for (let gap = clamped - 1; gap > 0; gap -= step, step *= 2) {
      if (!isHeld(gap)) {
        rejected = gap
        break
      }
      held = gap
    }
  } else {
    rejected = clamped
    for (let gap = clamped + 1; gap < middle; gap += step, step *= 2) {
      if (isHeld(gap)) {
        held = gap
        break
      }
      rejected = gap
    }
  }
  while (held - rejected > 1) {
    const gap = (held + rejected) >> 1
    if (isHeld(gap)) held = gap
    else rejected = gap
  }
  return held
}
