/**
 * `revlog debugindex` and `debugdata`: one revlog's index as a table, and one revision's text.
 */
import { RevlogError } from '../errors.ts'
import { type ByteString, utf8ByteString } from '../format/byte-string.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { Repository } from '../repository/open.ts'
import { resolveInRevlog, resolveWhole } from '../repository/resolve-revisions.ts'
import type { CliArguments } from './arguments.ts'
import { shortHex } from './log-entry.ts'
import type { Output } from './output.ts'

/** Prints an index. */
export function runDebugIndex(repository: Repository, args: CliArguments, output: Output): void {
  withRevlog(repository, args, (revlog, rest) => {
    if (rest.length > 0) throw new RevlogError('usage', 'debugindex: too many arguments')
    output.write('   rev linkrev       nodeid    p1-nodeid    p2-nodeid\n')
    for (let rev = 0; rev < revlog.length; rev++) output.write(indexLine(revlog, rev))
  })
}

/** Prints a text as it is stored, metadata of files included. */
export function runDebugData(repository: Repository, args: CliArguments, output: Output): void {
  withRevlog(repository, args, (revlog, [text, ...more]) => {
    if (text === undefined || more.length > 0) {
      throw new RevlogError('usage', 'debugdata: give one revision')
    }
    const ofFile = !args.changelog && !args.manifest
    const rev = ofFile ? resolveWhole(revlog, text) : resolveInRevlog(revlog, text)
    if (rev === undefined) {
      throw new RevlogError('unknown-revision', `invalid revision identifier ${text}`)
    }
    output.writeBytes(revlog.rawText(rev))
  })
}

function indexLine(revlog: Revlog, rev: number): ByteString {
  const { index } = revlog
  const nodeOf = (parent: number): string => shortHex(revlog.nodeHex(parent))
  const numbers = `${`${rev}`.padStart(6)} ${`${index.linkRev(rev)}`.padStart(7)}`
  return `${numbers} ${nodeOf(rev)} ${nodeOf(index.p1(rev))} ${nodeOf(index.p2(rev))}\n`
}

/** Uses the revlog that -c, -m or the first operand names and closes it if it is a file's. */
function withRevlog(
  repository: Repository,
  args: CliArguments,
  use: (revlog: Revlog, operands: readonly string[]) => void,
): void {
  if (args.changelog && args.manifest) {
    throw new RevlogError('usage', 'give either -c or -m, not both')
  }
  if (args.changelog || args.manifest) {
    use(args.changelog ? repository.changelog : repository.manifest, args.operands)
    return
  }
  const [file, ...operands] = args.operands
  if (file === undefined) throw new RevlogError('usage', `${args.command}: give -c, -m or a file`)
  const filelog = repository.filelog(utf8ByteString(file))
  try {
    use(filelog, operands)
  } finally {
    filelog.close()
  }
}
