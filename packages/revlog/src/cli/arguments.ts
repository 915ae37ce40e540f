/**
 * The command line as values. Global options may stand before or after the command. Options that a
 * command does not declare are refused.
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
import type { Command, CommandArguments, CommandOptions } from './command.ts'

/** What the command line says. */
export interface CliArguments {
  /** The command; undefined when none was given. */
  readonly command: Command | undefined
  /** The repository that -R names. */
  readonly repository: string | undefined
  readonly mode: AccessMode
  readonly mmapThreshold: number
  readonly debug: boolean
  readonly help: boolean
  readonly quiet: boolean
  /** By `SECTION.NAME`. */
  readonly config: ReadonlyMap<string, string>
  readonly given: CommandArguments
}

const GLOBAL_OPTIONS: CommandOptions = {
  repository: { type: 'string', short: 'R' },
  mode: { type: 'string' },
  'mmap-threshold': { type: 'string' },
  config: { type: 'string', multiple: true },
  quiet: { type: 'boolean', short: 'q' },
  debug: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
}

/** Reads the arguments after the program's name. Throws `usage`. */
export function parseArguments(
  argv: readonly string[],
  commands: readonly Command[],
): CliArguments {
  const args = joinNegativeRevs(argv)
  const command = findCommand(args, commands)
  const options = { ...GLOBAL_OPTIONS, ...command?.options }
  const { values, operands } = parse(args, { options, name: command?.name ?? 'revlog' })
  const given = commandArguments({ options, values, command: command?.name ?? '', operands })
  return {
    command,
    repository: given.text('repository'),
    mode: parseMode(given.text('mode') ?? DEFAULT_ACCESS_MODE),
    mmapThreshold: parseThreshold(given.text('mmap-threshold')),
    debug: given.flag('debug'),
    help: given.flag('help'),
    quiet: given.flag('quiet'),
    config: parseConfig(given.list('config')),
    given,
  }
}

/** The command that the first operand names. */
function findCommand(args: readonly string[], commands: readonly Command[]): Command | undefined {
  const { positionals } = parseArgs({ args: [...args], options: GLOBAL_OPTIONS, strict: false })
  const [name] = positionals
  const command = commands.find((one) => one.name === name || one.aliases?.includes(name ?? ''))
  if (command === undefined && name !== undefined) {
    throw new RevlogError('usage', `unknown command '${name}' (see revlog --help)`)
  }
  return command
}

type Values = Readonly<Record<string, unknown>>

function parse(
  args: readonly string[],
  { options, name }: { readonly options: CommandOptions; readonly name: string },
): { readonly values: Values; readonly operands: readonly string[] } {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue
    throw new RevlogError('usage', `${name}: there is no option ${token.rawName} here`)
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { values, operands: positionals.slice(1) }
  } catch (error) {
    throw new RevlogError('usage', reasonOf(error), { cause: error })
  }
}

function commandArguments({
  options,
  values,
  command,
  operands,
}: {
  readonly options: CommandOptions
  readonly values: Values
  readonly command: string
  readonly operands: readonly string[]
}): CommandArguments {
  const given = (name: string): unknown => {
    if (Object.hasOwn(options, name)) return values[name]
    throw new Error(`${command} does not declare the option ${name}`)
  }
  return {
    command,
    operands,
    flag: (name) => given(name) === true,
    text(name) {
      const value = given(name)
      return typeof value === 'string' ? value : undefined
    },
    list(name) {
      const value = given(name)
      return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
    },
  }
}

/** Options whose values are revisions and may thus start with a minus. */
const REVISION_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['-r', '--rev'],
  ['--rev', '--rev'],
  ['--base', '--base'],
  ['-s', '--startrev'],
  ['--startrev', '--startrev'],
  ['--stoprev', '--stoprev'],
])

/** `-r -1` is a revision, which node's parser would take for an option. */
function joinNegativeRevs(argv: readonly string[]): string[] {
  const joined: string[] = []
  for (const argument of argv) {
    const option = REVISION_OPTIONS.get(joined.at(-1) ?? '')
    if (option !== undefined && /^-\d/.test(argument)) {
      joined[joined.length - 1] = `${option}=${argument}`
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

function parseThreshold(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MMAP_THRESHOLD_BYTES
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new RevlogError('usage', `--mmap-threshold ${text}: must be a number of bytes`)
}

function parseConfig(items: readonly string[]): ReadonlyMap<string, string> {
  const config = new Map<string, string>()
  for (const item of items) {
    const [, key, value] = /^([^.=\s]+\.[^=]+?)\s*=\s*(.*)$/s.exec(item) ?? []
    if (key === undefined || value === undefined) {
      // Mercurial's words.
      throw new RevlogError(
        'usage',
        `malformed --config option: '${item}' (use --config section.name=value)`,
      )
    }
    config.set(key, value)
  }
  return config
}

/** A --limit. Throws `usage`. */
export function parseLimit(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new RevlogError('usage', 'limit must be a positive integer')
  if (Number(text) === 0) throw new RevlogError('usage', 'limit must be positive')
  return Number(text)
}
