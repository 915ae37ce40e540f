/**
 * The text that --help prints.
 */
import { ACCESS_MODES, DEFAULT_ACCESS_MODE, DEFAULT_MMAP_THRESHOLD_BYTES } from '../bytes/access.ts'
import { TEMPLATE_FILTERS, TEMPLATE_KEYWORDS } from './template.ts'

/** Help for the whole program. */
export const HELP = `usage: revlog [GLOBAL OPTION]... COMMAND [OPTION]...

Reads Mercurial repositories (revlog version 1). Output is that of the hg command of the same name.

commands:
 log                        show the changesets, newest first
   -r --rev REV [+]         only these: N, -N, tip, null, ., a node or its prefix, a tag, a bookmark,
                            A:B, or last(all(),N); not branch names, not other revsets
   -l --limit N             at most N of them
   -T --template TEMPLATE   instead of the default form; text, \\n \\t \\r \\\\ \\{, and {KEYWORD|FILTER...}
                            keywords: ${wrap(TEMPLATE_KEYWORDS)}
                            filters: ${wrap(TEMPLATE_FILTERS)}
   -p --patch               not supported yet
 debugindex -c|-m|FILE      list an index: revision, link, node, parents
 debugdata -c|-m|FILE REV   print a revision's text as it is stored
                            -c is the changelog, -m the manifest, FILE a path from the repository's root

global options:
 -R --repository DIR        the repository (default: the one that the current directory is in)
    --mode MODE             how the changelog's and the manifest's index files are read:
                            ${ACCESS_MODES.join(', ')}
                            (default: ${DEFAULT_ACCESS_MODE})
    --mmap-threshold BYTES  smaller index files are always read (default: ${DEFAULT_MMAP_THRESHOLD_BYTES})
    --debug                 print to standard error, one JSON object a line after 'debug: ', what was
                            opened and how (kind 'access') and what it took (kind 'resources')
 -h --help                  show this

environment:
 HGENCODING                 encoding of names and messages: utf-8 (default), ascii, latin1

exit status:
 0 done; 2 not supported yet; 64 the command line makes no sense; 70 a fault of this program;
 255 it could not be done, with 'abort: ...' on standard error
`

function wrap(words: readonly string[]): string {
  const lines: string[] = ['']
  for (const word of words) {
    if ((lines.at(-1) ?? '').length + word.length > 60) lines.push('')
    lines[lines.length - 1] += `${word} `
  }
  return lines.map((line) => line.trimEnd()).join(`\n${' '.repeat(28)}`)
}
