/**
 * `revlog debugdata`: one revision's text as it is stored, the metadata of files included.
 */
import { RevlogError } from '../../errors.ts'
import { resolveInRevlog, resolveWhole } from '../../repository/resolve-revisions.ts'
import type { Command } from '../command.ts'
import { namesFile, REVLOG_OPTIONS, withRevlog } from '../named-revlog.ts'

/** Prints a text. */
export const debugdataCommand: Command = {
  name: 'debugdata',
  options: REVLOG_OPTIONS,
  help: `debugdata -c|-m|FILE REV   print a revision's text as it is stored
                           -c is the changelog, -m the manifest, FILE a path from the repository's root`,
  run(context) {
    withRevlog(context, (revlog, [text, ...more]) => {
      if (text === undefined || more.length > 0) {
        throw new RevlogError('usage', 'debugdata: give one revision')
      }
      const rev = namesFile(context) ? resolveWhole(revlog, text) : resolveInRevlog(revlog, text)
      if (rev === undefined) {
        throw new RevlogError('unknown-revision', `invalid revision identifier ${text}`)
      }
      context.output.writeBytes(revlog.rawText(rev))
    })
    return undefined
  },
}
