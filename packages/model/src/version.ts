/** Which Assay this is: what workers and servers tell each other before they work together. */

/** The version of all packages of this build, as in their `package.json`. */
export const assayVersion = '0.1.0'

/**
 * The version of what workers and servers say to each other; raised with every change that the other
 * side must know of.
 */
export const workProtocol = 2
