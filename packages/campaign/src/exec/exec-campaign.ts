/** The campaign of a command line: some commands set against each other, without a file. */
import { stringify } from 'yaml'
import { commandFactor } from '../parse/reading.ts'
import { shellWords } from './shell-words.ts'

/** What `assay exec` is given: command lines as a person typed them. */
export interface ExecCampaign {
  /** The first is the baseline. */
  readonly commands: readonly string[]
  /** Command lines around them, not timed. */
  readonly hooks?: {
    readonly setup?: string
    readonly prepare?: string
    readonly conclude?: string
    readonly cleanup?: string
  }
  readonly warmups?: number
  /** `30`, or `20..60`. */
  readonly rounds?: string
  /** The longest one sample may take: `30s`, `2m`. */
  readonly timeout?: string
  /** Exit codes of a good sample; `any`: failures are ignored. */
  readonly exitCodes?: 'any' | readonly number[]
  /** Names with levels: each combination is measured, and fills the places `${name}`. */
  readonly parameters?: readonly { readonly name: string; readonly levels: readonly string[] }[]
  /** Variables of commands and hooks beside those that all have. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether command lines are run by `sh -c` instead of being split into words. */
  readonly shell?: boolean
}

const mostLabelLength = 80

/** The start of a text; no half of a character is left at its end. */
const cut = (text: string, length: number): string =>
  text
    .slice(0, length)
    .replace(/\p{Cs}$/u, '')
    .trim()

/** A command line as a label: one line without the colon, after which a printed number begins. */
const labelOf = (command: string): string => {
  const line = command
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(':', '\u2236') // the ratio sign, which looks the same
    .replace(/^[\s#]+/, '')
    .trim()
  // No YAML of ours takes these as a key.
  if (['', '<<', '__proto__'].includes(line)) return `command ${line}`.trim()
  return line.length <= mostLabelLength ? line : `${cut(line, mostLabelLength - 3)}...`
}

/** Labels of the commands; a label that is there already gets a number. */
const labelled = (commands: readonly string[]): ReadonlyMap<string, string> => {
  const byLabel = new Map<string, string>()
  for (const command of commands) {
    const label = labelOf(command)
    let free = label
    for (let at = 2; byLabel.has(free); at += 1) {
      const mark = ` (${at})`
      free = cut(label, mostLabelLength - mark.length) + mark
    }
    byLabel.set(free, command)
  }
  return byLabel
}

type Argv = (line: string) => readonly string[]

/** A run of one command compares its first parameter; else commands are compared. */
const comparison = (
  { commands, parameters = [] }: ExecCampaign,
  argv: Argv,
): { readonly compare: object; readonly command: object; readonly varied: typeof parameters } => {
  const [first, ...rest] = parameters
  const [only] = commands
  if (commands.length === 1 && only !== undefined && first !== undefined) {
    const compare = { [first.name]: first.levels }
    return { compare, command: { command: argv(only) }, varied: rest }
  }
  const levels = [...labelled(commands)].map(([label, line]) => [label, argv(line)] as const)
  return { compare: { [commandFactor]: new Map(levels) }, command: {}, varied: parameters }
}

const hooksOf = ({ hooks = {} }: ExecCampaign, argv: Argv): object => {
  const written = Object.entries(hooks).map(([name, line]) => [name, argv(line)] as const)
  return written.length === 0 ? {} : { hooks: Object.fromEntries(written) }
}

/**
 * The YAML of a campaign that compares these commands: what `assay exec` measures, and what a person
 * can keep and go on with. Its parsing says what is wrong with names, levels and rounds. Throws
 * `command-garbled` for a command line that cannot be split.
 */
export const execCampaign = (request: ExecCampaign): string => {
  const argv: Argv = (line) => (request.shell === true ? ['sh', '-c', line] : shellWords(line))
  const { compare, command, varied } = comparison(request, argv)
  const { warmups, rounds, timeout, exitCodes, env = {} } = request
  const parameters = varied.map(({ name, levels }) => [name, levels] as const)
  const sampling = {
    ...(warmups === undefined ? {} : { warmups }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(timeout === undefined ? {} : { timeout }),
  }
  const campaign = {
    name: 'exec',
    compare,
    engines: ['exec'],
    benchmarks: [
      {
        name: 'exec',
        ...command,
        ...(parameters.length === 0 ? {} : { with: Object.fromEntries(parameters) }),
        ...hooksOf(request, argv),
        ...(Object.keys(env).length === 0 ? {} : { env }),
        ...(exitCodes === undefined ? {} : { exitCodes }),
      },
    ],
    ...(Object.keys(sampling).length === 0 ? {} : { sampling }),
  }
  return stringify(campaign, { lineWidth: 0 })
}
