/** The errors of this package that are not a person's YAML: those are diagnostics. */
import { AssayError } from '@assay/model'

/** A command line cannot be split into words as it stands. */
export const commandGarbled = (command: string, why: string): AssayError =>
  new AssayError({
    code: 'command-garbled',
    kind: 'usage',
    message: `the command ${JSON.stringify(command)} cannot be started: ${why}`,
    details: { command },
  })

/** A campaign asks for something that the catalogue it is expanded with does not have. */
export const notInCatalogue = (what: string, name: string): AssayError =>
  new AssayError({
    code: 'campaign-not-in-catalogue',
    kind: 'usage',
    message: `the ${what} "${name}" is not available here; parse the campaign again with this catalogue`,
    details: { what, name },
  })
