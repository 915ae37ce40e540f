/** The errors of this package that are not a person's YAML: those are diagnostics. */
import { AssayError } from '@assay/model'

/** A campaign asks for something that the catalogue it is expanded with does not have. */
export const notInCatalogue = (what: string, name: string): AssayError =>
  new AssayError({
    code: 'campaign-not-in-catalogue',
    kind: 'usage',
    message: `the ${what} "${name}" is not available here; parse the campaign again with this catalogue`,
    details: { what, name },
  })
