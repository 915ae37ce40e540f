/**
 * The other repository that a command is told, or that the repository's own settings name, and the
 * way to it: a folder, or a program behind ssh (`hg help urls`, `hg help config.paths`).
 */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RevlogError } from '../errors.ts'
import { openLocalPeer } from '../peer/local-peer.ts'
import type { Peer } from '../peer/peer.ts'
import type { ReceiveOptions } from '../peer/receive-push.ts'
import { readSettings } from '../peer/repository-settings.ts'
import { openSshPeer } from '../wire/ssh-peer.ts'
import type { CommandContext, CommandOptions } from './command.ts'
import { lockOptions } from './commands/unbundle.ts'
import { exchangeSettings } from './exchange-settings.ts'

/** Options of every command that talks to another repository. */
export const REMOTE_OPTIONS: CommandOptions = {
  ssh: { type: 'string', short: 'e' },
  remotecmd: { type: 'string' },
}

/** Help for these options. */
export const REMOTE_HELP = `  -e --ssh CMD             the ssh command (default: ssh)
     --remotecmd CMD       the program at the other end of ssh (default: hg)`

/** Another repository. */
export interface RemotePlace {
  /** As messages show it. */
  readonly shown: string
  /** What is opened: an absolute path or a URL. */
  readonly target: string
  /** The name of the setting that it comes from, if it is one. */
  readonly pathName?: string
}

/** For a push another place may be set than for a pull. */
export type Direction = 'push' | 'pull'

const NAMES: Readonly<Record<Direction, readonly string[]>> = {
  push: ['default:pushurl', 'default-push', 'default'],
  pull: ['default'],
}

/** The place that the operand names, or the settings. Throws `usage` where nothing is named. */
export function remotePlace(context: CommandContext, direction: Direction): RemotePlace {
  const { args, io, config } = context
  const [operand, ...more] = args.operands
  if (more.length > 0) {
    throw new RevlogError('usage', `${args.command}: give one other repository`)
  }
  const root = resolve(io.cwd, context.root())
  const settings = new Map([...readSettings(context.repository()), ...config])
  const names = operand === undefined ? NAMES[direction] : [operand]
  for (const name of names) {
    const url = settings.get(`paths.${name}`)
    if (url === undefined || url === '') continue
    const target = isUrl(url) ? url : resolve(root, url)
    return { shown: shownUrl(target), target, pathName: name.replace(/[-:].*$/, '') }
  }
  if (operand !== undefined) return placeOf(operand, { direction, cwd: io.cwd, settings, root })
  if (direction === 'pull')
    throw new RevlogError('not-a-repository', 'repository default not found')
  // Mercurial's words.
  throw new RevlogError(
    'not-configured',
    "default repository not configured!\n(see 'hg help config.paths')",
  )
}

interface PlaceContext {
  readonly direction: Direction
  readonly cwd: string
  readonly settings: ReadonlyMap<string, string>
  readonly root: string
}

function placeOf(operand: string, { direction, cwd, settings, root }: PlaceContext): RemotePlace {
  if (isUrl(operand)) return { shown: shownUrl(operand), target: operand }
  const target = resolve(cwd, operand.replace(/^file:(\/\/)?/, ''))
  const isThere = statSync(join(target, '.hg'), { throwIfNoEntry: false }) !== undefined
  if (!isThere && direction === 'push') {
    throw new RevlogError('not-a-repository', `repository ${operand} does not exist`)
  }
  const fallback = settings.get('paths.default')
  const isDefault = fallback !== undefined && !isUrl(fallback) && resolve(root, fallback) === target
  return { shown: operand, target, ...(isDefault ? { pathName: 'default' } : {}) }
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !text.startsWith('file:')
}

/** Without a password. */
function shownUrl(url: string): string {
  return url.replace(/^(\w+:\/\/[^/@:]*):[^/@]*@/, '$1:***@')
}

/** Opens the other repository. Throws `not-a-repository`, `protocol`, `unsupported`. */
export function openPeer(context: CommandContext, place: RemotePlace): Peer {
  const { args, io, output, config, quiet } = context
  const say = sayLine(context)
  if (isUrl(place.target)) {
    if (!place.target.startsWith('ssh://')) {
      throw new RevlogError('unsupported', `${place.shown}: only folders and ssh:// are spoken to`)
    }
    return openSshPeer(place.target, {
      sshCommand: args.text('ssh') ?? config.get('ui.ssh') ?? 'ssh',
      remoteCommand: args.text('remotecmd') ?? config.get('ui.remotecmd') ?? 'hg',
      env: io.env,
      onRemoteText: (line, isFailure) => {
        if (isFailure) {
          output.flush()
          io.writeError(`remote: ${Buffer.from(line, 'latin1').toString()}\n`)
        } else if (!quiet) output.write(`remote: ${line}\n`)
      },
    })
  }
  try {
    return openLocalPeer(place.shown, receiveOptions(context, place.target, say))
  } catch (error) {
    if (!(error instanceof RevlogError) || error.code !== 'not-a-repository') throw error
    throw new RevlogError('not-a-repository', `repository ${place.shown} not found`)
  }
}

/** How a repository takes what is pushed to it. */
export function receiveOptions(
  context: CommandContext,
  root: string,
  say: (line: string) => void,
): ReceiveOptions {
  const { access, config } = context
  return {
    root,
    access,
    say,
    locks: lockOptions(context),
    ...exchangeSettings(config),
  }
}

/** Prints a line unless --quiet. */
export function sayLine({ output, quiet }: CommandContext): (line: string) => void {
  return (line) => {
    if (!quiet) output.write(`${line}\n`)
  }
}

/** Prints a line to standard error, after all that was printed before. */
export function warnLine({ output, io }: CommandContext): (line: string) => void {
  return (line) => {
    output.flush()
    io.writeError(`${line}\n`)
  }
}
