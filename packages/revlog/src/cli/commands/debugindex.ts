/**
 * `revlog debugindex`: one revlog's index as a table.
 */
import { RevlogError } from '../../errors.ts'
import type { ByteString } from '../../format/byte-string.ts'
import type { Revlog } from '../../reader/revlog.ts'
import type { Command } from '../command.ts'
import { shortHex } from '../log-entry.ts'
import { REVLOG_OPTIONS, withRevlog } from '../named-revlog.ts'

/** Prints an index. */
export const debugindexCommand: Command = {
  name: 'debugindex',
  options: REVLOG_OPTIONS,
  help: 'debugindex -c|-m|FILE      list an index: revision, link, node, parents',
  run(context) {
    withRevlog(context, (revlog, rest) => {
      if (rest.length > 0) throw new RevlogError('usage', 'debugindex: too many arguments')
      const { output } = context
      output.write('   rev linkrev       nodeid    p1-nodeid    p2-nodeid\n')
      for (let rev = 0; rev < revlog.length; rev++) output.write(indexLine(revlog, rev))
    })
    return undefined
  },
}

function indexLine(revlog: Revlog, rev: number): ByteString {
  const { index } = revlog
  const nodeOf = (parent: number): string => shortHex(revlog.nodeHex(parent))
  const numbers = `${`${rev}`.padStart(6)} ${`${index.linkRev(rev)}`.padStart(7)}`
  return `${numbers} ${nodeOf(rev)} ${nodeOf(index.p1(rev))} ${nodeOf(index.p2(rev))}\n`
}
