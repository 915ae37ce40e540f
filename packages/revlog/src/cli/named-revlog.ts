/**
 * The revlog that a debug command's arguments name: -c, -m or a file of the repository.
 */
import { RevlogError } from '../errors.ts'
import { utf8ByteString } from '../format/byte-string.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { CommandContext, CommandOptions } from './command.ts'

/** The options of a command that takes a revlog. */
export const REVLOG_OPTIONS: CommandOptions = {
  changelog: { type: 'boolean', short: 'c' },
  manifest: { type: 'boolean', short: 'm' },
}

/** True if the arguments name a file's revlog. */
export function namesFile({ args }: CommandContext): boolean {
  return !args.flag('changelog') && !args.flag('manifest')
}

/** Uses the revlog that -c, -m or the first operand names and closes it if it is a file's. */
export function withRevlog(
  context: CommandContext,
  use: (revlog: Revlog, operands: readonly string[]) => void,
): void {
  const { args } = context
  if (args.flag('changelog') && args.flag('manifest')) {
    throw new RevlogError('usage', 'give either -c or -m, not both')
  }
  if (!namesFile(context)) {
    const repository = context.repository()
    use(args.flag('changelog') ? repository.changelog : repository.manifest, args.operands)
    return
  }
  const [file, ...operands] = args.operands
  if (file === undefined) throw new RevlogError('usage', `${args.command}: give -c, -m or a file`)
  const filelog = context.repository().filelog(utf8ByteString(file))
  try {
    use(filelog, operands)
  } finally {
    filelog.close()
  }
}

/** Path of the index that the arguments name. Throws `usage` where they name none. */
export function namedIndexPath(context: CommandContext): string {
  const { args } = context
  const repository = context.repository()
  if (args.flag('changelog')) return repository.storePath('00changelog.i')
  if (args.flag('manifest')) return repository.storePath('00manifest.i')
  const [file] = args.operands
  if (file === undefined) throw new RevlogError('usage', `${args.command}: give -c, -m or a file`)
  return repository.storePath(`data/${utf8ByteString(file)}.i`)
}
