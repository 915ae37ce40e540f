/**
 * `revlog recover`: an interrupted change of a repository is undone.
 */
import { resolve } from 'node:path'
import { RevlogError } from '../../errors.ts'
import { withStoreLock } from '../../locks/repository-locks.ts'
import { openRepository } from '../../repository/open.ts'
import { hasJournal, playBack } from '../../transaction/play-back.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-status.ts'
import { lockOptions } from './unbundle.ts'

/** Undoes what was interrupted. */
export const recoverCommand: Command = {
  name: 'recover',
  options: {},
  help: `recover                    undo a change of the repository that was interrupted`,
  run(context) {
    if (context.args.operands.length > 0) {
      throw new RevlogError('usage', 'recover: takes no arguments')
    }
    const root = resolve(context.io.cwd, context.root())
    return withStoreLock(root, lockOptions(context), () => {
      const repository = openRepository(root, context.access)
      try {
        if (!hasJournal(repository)) {
          context.io.writeError('no interrupted transaction available\n')
          return EXIT.nothing
        }
        if (!context.quiet) context.output.write('rolling back interrupted transaction\n')
        playBack(repository)
      } finally {
        repository.close()
      }
      context.output.flush()
      context.io.writeError(
        '(verify step skipped, run `hg verify` to check your repository content)\n',
      )
      return EXIT.ok
    })
  },
}
