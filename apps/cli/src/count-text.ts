/** Counted things as a person writes them. */

/** `1 block`, `3 cells`. */
export const countText = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
