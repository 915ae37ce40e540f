/**
 * The `${name}` places of commands and hooks; `$${` stands for a literal `${`. A plan keeps them as
 * they are written: where a dataset lies, and how many loops are taken, is known where it is measured.
 */

const placePattern = /\$\$\{|\$\{([^}]*)\}/g

/** The names of the places in `argument`, in order. */
export const placesIn = (argument: string): readonly string[] =>
  [...argument.matchAll(placePattern)].flatMap(([, name]) => (name === undefined ? [] : [name]))

/** `argument` with each place filled from `texts`; a place without a text stays as it is. */
export const fillPlaces = (argument: string, texts: ReadonlyMap<string, string>): string =>
  argument.replace(placePattern, (whole, name: string | undefined) =>
    name === undefined ? '$' + '{' : (texts.get(name) ?? whole),
  )

/** The place of the prepared dataset's path. */
export const datasetPlace = 'dataset'

/** The place of the number of inner repeats. */
export const loopsPlace = 'loops'
