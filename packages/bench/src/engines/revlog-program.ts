/** Where the embedded engine's program lies. */
import { createRequire } from 'node:module'

/** The bundled program; resolved when needed, since it exists only after a build. */
export const programPath = (): string => createRequire(import.meta.url).resolve('@assay/revlog/cli')
