/**
 * The text that --help prints, put together from what the commands say of themselves.
 */
import { ACCESS_MODES, DEFAULT_ACCESS_MODE, DEFAULT_MMAP_THRESHOLD_BYTES } from '../bytes/access.ts'
import type { Command } from './command.ts'

/** Help for the whole program. */
export function helpText(commands: readonly Command[]): string {
  return `usage: revlog [GLOBAL OPTION]... COMMAND [OPTION]...

Reads and writes Mercurial repositories (revlog version 1). Output is that of the hg command of the
same name.

commands:
${commands.map(({ help }) => help.replace(/^/gm, ' ')).join('\n')}

global options:
 -R --repository DIR        the repository (default: the one that the current directory is in)
 -q --quiet                 say nothing that was not asked for
    --config SECTION.NAME=VALUE [+]
                            a setting, by Mercurial's name; those that a command knows are listed with it
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
 0 done; 1 nothing to do; 2 not supported yet; 64 the command line makes no sense; 70 a fault of this
 program; 255 it could not be done, with 'abort: ...' on standard error
`
}
