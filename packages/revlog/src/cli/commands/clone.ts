/**
 * `revlog clone`: a repository on this machine into a new folder, whole or up to some revisions, in
 * its own storage format or another one.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cloneRepository } from '../../clone/clone-repository.ts'
import { RevlogError } from '../../errors.ts'
import { openRepository } from '../../repository/open.ts'
import { resolveRevisions } from '../../repository/resolve-revisions.ts'
import type { Command } from '../command.ts'
import { formatSettings } from '../format-settings.ts'

/** Makes a clone. */
export const cloneCommand: Command = {
  name: 'clone',
  options: {
    noupdate: { type: 'boolean', short: 'U' },
    pull: { type: 'boolean' },
    rev: { type: 'string', short: 'r', multiple: true },
  },
  help: `clone -U SOURCE DEST       copy a repository in a folder, without a working directory
  -r --rev REV [+]         only these and their ancestors
     --pull                write every revision anew instead of copying files
     --config format.revlog-compression=zlib|zstd|none
     --config format.usegeneraldelta, format.sparse-revlog, format.use-share-safe,
              format.use-dirstate-v2, format.use-persistent-nodemap=yes|no
                           another storage format than the source's`,
  run({ args, io, access, config }) {
    const [from, to, ...more] = args.operands
    if (from === undefined || to === undefined || more.length > 0) {
      throw new RevlogError('usage', 'clone: give the repository and a new folder')
    }
    if (!args.flag('noupdate')) {
      throw new RevlogError('unsupported', 'clone writes no working directory: give -U')
    }
    const source = openRepository(resolve(io.cwd, from), access)
    try {
      const destination = resolve(io.cwd, to)
      const specs = args.list('rev')
      const heads = specs.flatMap((spec) => resolveRevisions(source, spec))
      cloneRepository({
        source,
        destination,
        format: formatSettings(config),
        rewrite: args.flag('pull'),
        ...(specs.length > 0 ? { heads } : {}),
      })
      const paths = `[paths]\ndefault = ${source.root}\n`
      writeFileSync(join(destination, '.hg', 'hgrc'), paths)
    } finally {
      source.close()
    }
    return undefined
  },
}
