/**
 * `revlog pull`: changesets of another repository into this one.
 */

import { utf8ByteString } from '../../format/byte-string.ts'
import { pull } from '../../peer/pull.ts'
import type { Command } from '../command.ts'
import { exchangeSettings } from '../exchange-settings.ts'
import { openPeer, REMOTE_OPTIONS, remotePlace, sayLine, warnLine } from '../remote-place.ts'
import { lockOptions } from './unbundle.ts'

/** Pulls. */
export const pullCommand: Command = {
  name: 'pull',
  options: {
    ...REMOTE_OPTIONS,
    force: { type: 'boolean', short: 'f' },
    rev: { type: 'string', short: 'r', multiple: true },
  },
  help: `pull [SOURCE]              changesets of another repository, in a folder or at ssh://USER@HOST/PATH
  -f --force               also where the repositories are unrelated
  -r --rev REV [+]         only these, by names there, and their ancestors
                           -e and --remotecmd as for push`,
  run(context) {
    const { args, access, config } = context
    const place = remotePlace(context, 'pull')
    const say = sayLine(context)
    say(`pulling from ${place.shown}`)
    const peer = openPeer(context, place)
    try {
      pull({
        repository: context.repository(),
        access,
        peer,
        locks: lockOptions(context),
        revs: args.list('rev').map(utf8ByteString),
        force: args.flag('force'),
        ...exchangeSettings(config),
        say,
        warn: warnLine(context),
        ...(place.pathName === undefined ? {} : { pathName: place.pathName }),
      })
    } finally {
      peer.close()
    }
    return undefined
  },
}
