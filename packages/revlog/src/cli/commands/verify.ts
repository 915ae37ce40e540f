/**
 * `revlog verify`: is everything in the store that should be, and is it what it should be.
 */
import { resolve } from 'node:path'
import { RevlogError } from '../../errors.ts'
import { withStoreLock } from '../../locks/repository-locks.ts'
import { verifyRepository } from '../../verify/verify-repository.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-status.ts'
import { lockOptions } from './unbundle.ts'

/** Checks a repository. */
export const verifyCommand: Command = {
  name: 'verify',
  options: { full: { type: 'boolean' } },
  help: `verify                     check the whole repository: hashes, lengths, links; exit status 1
                            when something is wrong
     --full                make and hash the text of every manifest too`,
  run(context) {
    if (context.args.operands.length > 0) {
      throw new RevlogError('usage', 'verify: takes no arguments')
    }
    const { io, output, quiet, args } = context
    const root = resolve(io.cwd, context.root())
    return withStoreLock(root, lockOptions(context), () => {
      const { errors } = verifyRepository(context.repository(), {
        full: args.flag('full'),
        status: (line) => {
          if (quiet) return
          output.write(`${line}\n`)
          // It takes long: what is being done is said when it is done.
          output.flush()
        },
        problem: (line) => {
          output.flush()
          io.writeError(`${Buffer.from(line, 'latin1').toString()}\n`)
        },
      })
      return errors === 0 ? EXIT.ok : EXIT.nothing
    })
  },
}
