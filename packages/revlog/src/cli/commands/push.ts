/**
 * `revlog push`: changesets of a repository to another one.
 */
import { push } from '../../peer/push.ts'
import { resolveRevisions } from '../../repository/resolve-revisions.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-status.ts'
import {
  openPeer,
  REMOTE_HELP,
  REMOTE_OPTIONS,
  remotePlace,
  sayLine,
  warnLine,
} from '../remote-place.ts'
import { lockOptions } from './unbundle.ts'

/** Pushes. */
export const pushCommand: Command = {
  name: 'push',
  options: {
    ...REMOTE_OPTIONS,
    force: { type: 'boolean', short: 'f' },
    rev: { type: 'string', short: 'r', multiple: true },
    'new-branch': { type: 'boolean' },
  },
  help: `push [DEST]                changesets to another repository, in a folder or at ssh://USER@HOST/PATH
  -f --force               also where that makes new heads, or the repositories are unrelated
  -r --rev REV [+]         only these and their ancestors
     --new-branch          branches that the other repository does not have
${REMOTE_HELP}`,
  run(context) {
    const { args, access } = context
    const place = remotePlace(context, 'push')
    const repository = context.repository()
    const say = sayLine(context)
    say(`pushing to ${place.shown}`)
    const specs = args.list('rev')
    const revs = specs.flatMap((spec) => resolveRevisions(repository, spec))
    const peer = openPeer(context, place)
    try {
      const pushed = push({
        repository,
        access,
        peer,
        locks: lockOptions(context),
        force: args.flag('force'),
        newBranches: args.flag('new-branch'),
        say,
        warn: warnLine(context),
        sayRemote: (line) => say(`remote: ${line}`),
        ...(specs.length > 0 ? { revs } : {}),
      })
      return pushed ? EXIT.ok : EXIT.nothing
    } finally {
      peer.close()
    }
  },
}
