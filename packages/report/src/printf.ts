/**
 * Numbers as C's printf prints them, so that a report agrees to the byte with tables printed by
 * other programs. `toFixed` is exact but for three things: it rounds a tie up where C rounds it to
 * even, drops the sign of a negative zero, and gives up at 1e21.
 */

/** Digits after which every double in a range where ties occur has ended. */
const everyDigit = 100

/** Whether the exact decimal expansion of `magnitude` ends in a lone 5 after `digits` digits. */
const isTie = (magnitude: number, digits: number): boolean =>
  /^50*$/.test(magnitude.toFixed(everyDigit).split('.')[1]?.slice(digits) ?? '')

const fixedMagnitude = (magnitude: number, digits: number): string => {
  // From 1e21 on every double is whole, and BigInt writes it out.
  if (magnitude >= 1e21) return `${BigInt(magnitude)}.${'0'.repeat(digits)}`
  if (isTie(magnitude, digits)) {
    const below = magnitude.toFixed(digits + 1).slice(0, -1)
    if (/[02468]$/.test(below)) return below
  }
  return magnitude.toFixed(digits)
}

/** A finite number as `%.<digits>f`, with `digits` from 1. */
export const fixed = (value: number, digits: number): string => {
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  return `${sign}${fixedMagnitude(Math.abs(value), digits)}`
}

/** A finite number as `%+.<digits>f`: `+10.38`, `-0.00`. */
export const signedFixed = (value: number, digits: number): string => {
  const text = fixed(value, digits)
  return text.startsWith('-') ? text : `+${text}`
}
