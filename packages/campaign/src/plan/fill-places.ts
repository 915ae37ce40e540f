/** The `${name}` places of a command; `$${` stands for a literal `${`. */

const placePattern = /\$\$\{|\$\{([^}]*)\}/g

/** The names of the places in `argument`, in order. */
export const placesIn = (argument: string): readonly string[] =>
  [...argument.matchAll(placePattern)].flatMap(([, name]) => (name === undefined ? [] : [name]))

/** `argument` with each place filled from `levels`; a place without a level stays as it is. */
export const fillPlaces = (argument: string, levels: ReadonlyMap<string, string>): string =>
  argument.replace(placePattern, (whole, name: string | undefined) =>
    name === undefined ? '$' + '{' : (levels.get(name) ?? whole),
  )
