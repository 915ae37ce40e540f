/**
 * What the program's exit status says. 255 is what Mercurial's own commands end with; the others let
 * a calling program tell a wish that is not implemented from a mistake in the command line.
 */
import type { RevlogErrorCode } from '../errors.ts'

/** Exit statuses of the command line. */
export const EXIT = {
  ok: 0,
  /** There was nothing to do, as Mercurial's commands say it. */
  nothing: 1,
  /** Mercurial can do it, this program cannot yet: nothing was printed. */
  unsupported: 2,
  /** The command line makes no sense (sysexits.h EX_USAGE). */
  usage: 64,
  /** A fault of this program (sysexits.h EX_SOFTWARE). */
  internal: 70,
  /** It could not be done; also when the reader of the output went away, as with hg. */
  abort: 255,
} as const

/** The exit status for an error's code. */
export function exitStatusOf(code: RevlogErrorCode): number {
  if (code === 'unsupported') return EXIT.unsupported
  if (code === 'usage') return EXIT.usage
  return EXIT.abort
}
