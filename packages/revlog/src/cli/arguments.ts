/**
 * The command line as values. Global options may stand before or after the command. Options of
 * Mercurial's own commands that this program does not have are refused by node's parser.
 */
import { parseArgs } from 'node:util'
import {
  ACCESS_MODES,
  type AccessMode,
  DEFAULT_ACCESS_MODE,
  DEFAULT_MMAP_THRESHOLD_BYTES,
  isAccessMode,
} from '../bytes/access.ts'
import { RevlogError, reasonOf } from '../errors.ts'

/** What the command line says. */
export interface CliArguments {
  /** The command; undefined when none was given. */
  readonly command: string | undefined
  readonly operands: readonly string[]
  /** The repository that -R names. */
  readonly repository: string | undefined
  readonly mode: AccessMode
  readonly mmapThreshold: number
  readonly debug: boolean
  readonly help: boolean
  readonly revs: readonly string[]
  readonly limit: number | undefined
  readonly template: string | undefined
  readonly patch: boolean
  readonly changelog: boolean
  readonly manifest: boolean
}

const OPTIONS = {
  repository: { type: 'string', short: 'R' },
  mode: { type: 'string', default: DEFAULT_ACCESS_MODE },
  'mmap-threshold': { type: 'string', default: `${DEFAULT_MMAP_THRESHOLD_BYTES}` },
  debug: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  rev: { type: 'string', short: 'r', multiple: true },
  limit: { type: 'string', short: 'l' },
  template: { type: 'string', short: 'T' },
  patch: { type: 'boolean', short: 'p', default: false },
  changelog: { type: 'boolean', short: 'c', default: false },
  manifest: { type: 'boolean', short: 'm', default: false },
} as const

/** Which options each command has beside the global ones. */
const COMMAND_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['log', ['rev', 'limit', 'template', 'patch']],
  ['debugindex', ['changelog', 'manifest']],
  ['debugdata', ['changelog', 'manifest']],
])

const GLOBAL_OPTIONS = ['repository', 'mode', 'mmap-threshold', 'debug', 'help']

/** Reads the arguments after the program's name. Throws `usage`. */
export function parseArguments(argv: readonly string[]): CliArguments {
  const { values, positionals, tokens } = parse(argv)
  const [command, ...operands] = positionals
  const allowed = COMMAND_OPTIONS.get(command ?? '')
  if (command !== undefined && allowed === undefined) {
    throw new RevlogError('usage', `unknown command '${command}' (see revlog --help)`)
  }
  for (const token of tokens) {
    if (token.kind !== 'option' || GLOBAL_OPTIONS.includes(token.name)) continue
    if (!allowed?.includes(token.name)) {
      throw new RevlogError(
        'usage',
        `${command ?? 'revlog'}: there is no option ${token.rawName} here`,
      )
    }
  }
  return {
    command,
    operands,
    repository: values.repository,
    mode: parseMode(values.mode),
    mmapThreshold: parseThreshold(values['mmap-threshold']),
    debug: values.debug,
    help: values.help,
    revs: values.rev ?? [],
    limit: values.limit === undefined ? undefined : parseLimit(values.limit),
    template: values.template,
    patch: values.patch,
    changelog: values.changelog,
    manifest: values.manifest,
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: joinNegativeRevs(argv),
      options: OPTIONS,
      allowPositionals: true,
      tokens: true,
    })
  } catch (error) {
    throw new RevlogError('usage', reasonOf(error), { cause: error })
  }
}

/** `-r -1` is a revision, which node's parser would take for an option. */
function joinNegativeRevs(argv: readonly string[]): string[] {
  const joined: string[] = []
  for (const argument of argv) {
    const before = joined.at(-1)
    if ((before === '-r' || before === '--rev') && /^-\d/.test(argument)) {
      joined[joined.length - 1] = `--rev=${argument}`
    } else {
      joined.push(argument)
    }
  }
  return joined
}

function parseMode(mode: string): AccessMode {
  if (isAccessMode(mode)) return mode
  throw new RevlogError('usage', `--mode ${mode}: must be one of ${ACCESS_MODES.join(', ')}`)
}

function parseThreshold(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new RevlogError('usage', `--mmap-threshold ${text}: must be a number of bytes`)
}

function parseLimit(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new RevlogError('usage', 'limit must be a positive integer')
  if (Number(text) === 0) throw new RevlogError('usage', 'limit must be positive')
  return Number(text)
}
