/** `assay exec`: commands set against each other without a campaign file, as with hyperfine. */
import { execCampaign } from '@assay/campaign'
import { AssayError } from '@assay/model'
import type { Pinning } from '@assay/orchestrator'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Surroundings } from '../config.ts'
import { dbOption, pinOption } from './options.ts'
import { formatOption, jsonIsFormat } from './report.ts'
import { measureCampaign } from './run.ts'

interface Parameter {
  readonly name: string
  readonly levels: readonly string[]
}

interface ExecOptions {
  readonly setup?: string
  readonly prepare?: string
  readonly conclude?: string
  readonly cleanup?: string
  readonly warmup?: number
  readonly runs?: string
  readonly timeout?: string
  readonly ignoreFailure?: boolean
  readonly exitCodes?: number[]
  readonly parameter: Parameter[]
  readonly shell?: boolean
  readonly env: Readonly<Record<string, string>>
  readonly printCampaign?: boolean
  readonly db?: string
  readonly name?: string
  readonly format: string
  readonly json?: boolean
  readonly pin?: Pinning
}

const wholeNumber = (text: string): number => {
  if (!/^[0-9]{1,6}$/.test(text)) throw new InvalidArgumentError('write a whole number')
  return Number(text)
}

const matching =
  (expression: RegExp, wanted: string) =>
  (text: string): string => {
    if (!expression.test(text)) throw new InvalidArgumentError(`write ${wanted}`)
    return text
  }

const runsText = (text: string): string => {
  const range = matching(/^[1-9][0-9]{0,3}(\.\.[1-9][0-9]{0,3})?$/, '30, or 20..60; from 1')(text)
  const [least = '', most = least] = range.split('..')
  if (Number(least) > Number(most)) throw new InvalidArgumentError(`write ${most}..${least}`)
  return range
}

const durationSpelling = /^(?!0+(\.0+)?[a-z])[0-9]{1,5}(\.[0-9]{1,9})?(ms|s|m|h)$/

const collectParameter = (text: string, previous: readonly Parameter[]): Parameter[] => {
  const at = text.indexOf('=')
  const [name, levels] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)]
  if (name === '' || levels === '') {
    throw new InvalidArgumentError('write NAME=LEVEL,LEVEL,..., and ${NAME} in a command')
  }
  return [...previous, { name, levels: levels.split(',') }]
}

const collectVariable =
  ({ variable }: Surroundings) =>
  (text: string, previous: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
    const [, name = '', , given] = /^([A-Za-z_][A-Za-z0-9_]*)(=(.*))?$/s.exec(text) ?? []
    if (name === '') throw new InvalidArgumentError('write NAME or NAME=VALUE')
    const value = given ?? variable(name)
    if (value === undefined) {
      throw new InvalidArgumentError(`${name} is not set here; write ${name}=VALUE`)
    }
    return { ...previous, [name]: value }
  }

const help = `
Commands and hooks have PATH, an empty HOME and nothing else of your environment, so that the same is
measured everywhere; --env hands on what they need. It is stored with the run: no secrets.

Examples:
  assay exec 'sleep 0.02' 'sleep 0.021'
  assay exec --prepare 'rm -rf out' 'cp -r in out' 'cp -r --reflink=always in out'
  assay exec --parameter level=1,9 'gzip -kf -\${level} data'
  assay exec --print-campaign 'make -j1' 'make -j2' > make.yaml
`

const yamlOf = (commands: readonly string[], options: ExecOptions): string => {
  const { setup, prepare, conclude, cleanup, warmup, runs, timeout, shell, parameter, env } =
    options
  const exitCodes = options.ignoreFailure === true ? ('any' as const) : options.exitCodes
  return execCampaign({
    commands,
    parameters: parameter,
    env,
    hooks: {
      ...(setup === undefined ? {} : { setup }),
      ...(prepare === undefined ? {} : { prepare }),
      ...(conclude === undefined ? {} : { conclude }),
      ...(cleanup === undefined ? {} : { cleanup }),
    },
    ...(warmup === undefined ? {} : { warmups: warmup }),
    ...(runs === undefined ? {} : { rounds: runs }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(exitCodes === undefined ? {} : { exitCodes }),
    ...(shell === undefined ? {} : { shell }),
  })
}

/** Faults of a campaign that nobody wrote: its lines and columns would lead nowhere. */
const withoutPlaces = (error: unknown): unknown => {
  if (!(error instanceof AssayError) || error.code !== 'campaign-invalid') return error
  const message = error.message.replaceAll(/^exec:\d+:\d+: /gm, '')
  return new AssayError({ code: 'exec-invalid', kind: 'usage', message })
}

const ignoreFailure = (): Option =>
  new Option('--ignore-failure', 'a sample counts whatever its exit code').conflicts('exitCodes')

export const execCommand = (surroundings: Surroundings): Command =>
  new Command('exec')
    .description('set commands against each other; the first is the baseline')
    .argument('<command...>', 'command lines, split into words as a shell does')
    .option('--setup <command>', 'once for each command, before its first sample')
    .option('--prepare <command>', 'before each sample, not timed')
    .option('--conclude <command>', 'after each sample, not timed')
    .option('--cleanup <command>', 'once for each command, after its last sample')
    .option('--warmup <count>', 'samples that are not judged', wholeNumber)
    .option('--runs <range>', 'rounds: 30, or 20..60 to stop when precise', runsText)
    .option(
      '--timeout <duration>',
      'the longest one sample may take, e.g. 30s; 10m by default',
      matching(durationSpelling, 'a duration such as 500ms, 30s or 2m'),
    )
    .addOption(ignoreFailure())
    .option('--exit-codes <codes>', 'exit codes of a good sample, e.g. 0,1', (text: string) =>
      text.split(',').map(wholeNumber),
    )
    .option('--parameter <name=levels>', 'levels for ${name} places', collectParameter, [])
    .option('--shell', 'run each command line by sh -c')
    .option(
      '--env <name[=value]>',
      'a variable of commands and hooks; without a value, yours',
      collectVariable(surroundings),
      {},
    )
    .option('--print-campaign', 'print the campaign and measure nothing')
    .addOption(dbOption())
    .option('--name <name>', 'a name to find the run by')
    .addOption(pinOption())
    .addOption(formatOption())
    .addOption(jsonIsFormat())
    .addHelpText('after', help)
    .action(async (commands: readonly string[], options: ExecOptions) => {
      const text = yamlOf(commands, options)
      if (options.printCampaign === true) {
        const told = options.json === true ? `${JSON.stringify({ yaml: text }, null, 2)}\n` : text
        surroundings.out(told)
      } else {
        const { db, name, format, pin } = options
        const chosen = {
          ...{ only: [], skip: [], format },
          ...(db === undefined ? {} : { db }),
          ...(name === undefined ? {} : { name }),
          ...(pin === undefined ? {} : { pin }),
        }
        await measureCampaign({ file: 'exec', text }, chosen, surroundings).catch(
          (error: unknown) => {
            throw withoutPlaces(error)
          },
        )
      }
    })
