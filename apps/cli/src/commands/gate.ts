/** `assay gate`: may a change land? Measures a campaign, or takes a run, and answers by exit code. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { catalogue } from '@assay/bench'
import {
  defaultConfirmRounds,
  exitCodes,
  type Gate,
  type GateBlocker,
  type GateRules,
  gateBlockerSchema,
  gateRulesSchema,
  type StartGateRequest,
} from '@assay/model'
import {
  confirmedGate,
  confirmRun,
  type GatedRun,
  gateRun,
  type Pinning,
  planCampaign,
  startRun,
} from '@assay/orchestrator'
import { renderJunit, renderReport } from '@assay/report'
import type { Store } from '@assay/store'
import { Command, InvalidArgumentError, Option } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { countText } from '../count-text.ts'
import { type LocalSite, openLocalSite } from '../local-site.ts'
import { readStore } from '../read-store.ts'
import { executeRun } from './execute.ts'
import { gateOnServer } from './gate-on-server.ts'
import { dbOption, type PlanOptions, pinOption, planOptions } from './options.ts'
import { readCampaign } from './read-campaign.ts'
import { formatOption } from './report.ts'
import { type ServerOptions, serverOf, serverOptions } from './server-options.ts'

interface GateOptions extends PlanOptions, ServerOptions {
  readonly db?: string
  readonly run?: string
  readonly name?: string
  readonly block?: readonly GateBlocker[]
  readonly threshold?: number
  /** Rounds of the confirmation; false for none. */
  readonly confirm?: number | boolean
  readonly junit?: string
  readonly markdown?: string
  readonly format: string
  readonly json?: boolean
  readonly pin?: Pinning
}

const blockersOf = (text: string): readonly GateBlocker[] =>
  text.split(',').map((word) => {
    const known = gateBlockerSchema.safeParse(word)
    if (known.success) return known.data
    const all = gateBlockerSchema.options.join(', ')
    throw new InvalidArgumentError(`${word} is none of ${all}`)
  })

const fractionOf = (text: string): number => {
  const [, number = ''] = /^(\d{1,4}(?:\.\d{1,6})?)%$/.exec(text) ?? []
  const fraction = Number(number) / 100
  if (number !== '' && fraction <= 10) return fraction
  throw new InvalidArgumentError('write a percentage such as 3%, at most 1000%')
}

const roundsOf = (text: string): number => {
  const rounds = Number(text)
  if (/^\d{1,4}$/.test(text) && rounds >= 12) return rounds
  throw new InvalidArgumentError('write a number of rounds, at least 12: fewer can flag nothing')
}

const rulesOf = ({ block, threshold }: GateOptions): GateRules =>
  gateRulesSchema.parse({
    ...(block === undefined ? {} : { block }),
    ...(threshold === undefined ? {} : { threshold }),
  })

/** Rounds of the confirmation; null where one measurement decides. */
const confirmRoundsOf = ({ confirm }: GateOptions): number | null => {
  if (confirm === false) return null
  return typeof confirm === 'number' ? confirm : defaultConfirmRounds
}

const exitCodeOf: Readonly<Record<Gate['outcome'], number>> = {
  passed: exitCodes.fine,
  blocked: exitCodes.regression,
  unmeasured: exitCodes.unmeasurable,
}

const rowText = ({ cellId, label, state, blocker, reason }: Gate['rows'][number]): string =>
  `  ${state === 'accepted' ? 'accepted' : blocker} ${cellId} ${label}: ${reason}\n`

/** The outcome first, then every row that blocks or was accepted. */
const gateText = ({ outcome, reason, rows }: Gate): string =>
  `gate: ${outcome}: ${reason}\n${rows
    .filter(({ state }) => state !== 'passes')
    .map(rowText)
    .join('')}`

/** Prints report and outcome, and writes the files that were asked for. */
const tell = (gated: GatedRun, options: GateOptions, { out }: Surroundings): void => {
  const { gate, report, confirmation } = gated
  const reports = [report, ...(confirmation === null ? [] : [confirmation])]
  if (options.json === true) out(`${JSON.stringify(gate, null, 2)}\n`)
  else {
    out(reports.map((one) => `${renderReport(one, options.format)}\n`).join('measured again:\n'))
    out(gateText(gate))
  }
  if (options.junit !== undefined) writeFileSync(options.junit, renderJunit(report, gate))
  if (options.markdown !== undefined) {
    const text = `**Gate: ${gate.outcome}.** ${gate.reason}\n\n${renderReport(report, 'markdown')}`
    writeFileSync(options.markdown, text)
  }
  process.exitCode = exitCodeOf[gate.outcome]
}

/** Measures again what regressed; nothing where nothing did. */
const confirmed = async (
  gated: GatedRun,
  options: GateOptions,
  site: LocalSite,
  surroundings: Surroundings,
): Promise<GatedRun> => {
  const rounds = confirmRoundsOf(options)
  if (rounds === null) return gated
  const seed = randomBytes(4).toString('hex')
  const again = await confirmRun({ gate: gated.gate, rounds, seed }, site)
  if (again === null) return gated
  const blocks = countText(again.plan.blocks.length, 'block')
  surroundings.err(`run ${again.id} measures ${blocks} again, for a regression must come twice\n`)
  await executeRun(again, site, surroundings)
  return confirmedGate(gated, again.id, site.store)
}

/** Measures the campaign here; both sides of every row in one block. */
const measured = async (
  file: string,
  options: GateOptions,
  surroundings: Surroundings,
): Promise<GatedRun> => {
  const campaign = await readCampaign(file)
  const { only, skip, quick = false, seed = randomBytes(4).toString('hex') } = options
  const { workingDirectory } = surroundings
  const overrides = { seed, only, skip, quick, workingDirectory }
  planCampaign(campaign, overrides, catalogue)
  const path = chosenStorePath(options, surroundings)
  const site = openLocalSite(path, surroundings, options.pin)
  try {
    const run = await startRun({ campaign, name: options.name ?? null, overrides }, site)
    surroundings.err(`run ${run.id} of campaign ${run.campaign}, store ${path}\n`)
    await executeRun(run, site, surroundings)
    const gated = gateRun(run.id, rulesOf(options), site.store)
    return await confirmed(gated, options, site, surroundings)
  } finally {
    await site.close()
  }
}

const textOf = ({ key, value }: { readonly key: string; readonly value: string }): string =>
  `${key}=${value}`

/** What a server is to measure and decide. */
const requestOf = async (file: string, options: GateOptions): Promise<StartGateRequest> => {
  const { only, skip, quick = false, seed, name } = options
  return {
    yaml: (await readCampaign(file)).text,
    rules: rulesOf(options),
    confirmRounds: confirmRoundsOf(options),
    ...{ quick, only: only.map(textOf), skip: skip.map(textOf) },
    ...(seed === undefined ? {} : { seed }),
    ...(name === undefined ? {} : { name }),
  }
}

const gatedOf = async (
  file: string,
  options: GateOptions,
  surroundings: Surroundings,
): Promise<GatedRun> => {
  const server = serverOf(options, surroundings)
  return server === null
    ? measured(file, options, surroundings)
    : gateOnServer(await requestOf(file, options), server, surroundings)
}

const taken = (reference: string, options: GateOptions, surroundings: Surroundings): GatedRun => {
  const gate = (store: Store): GatedRun =>
    gateRun(store.runs.find(reference).id, rulesOf(options), store)
  return readStore(chosenStorePath(options, surroundings), surroundings, gate)
}

export const gateCommand = (surroundings: Surroundings): Command => {
  const command = new Command('gate')
    .description(
      'measure a campaign, or take a run, and say by exit code whether a change may land',
    )
    .argument('[file]', 'a campaign; the first level it compares is the baseline')
    .addOption(new Option('--run <run>', 'gate this run instead: id, name, latest or @-1'))
    .addOption(dbOption())
    .option('--name <name>', 'a name to find the run by')
    .addOption(
      new Option(
        '--block <kinds>',
        `what blocks, separated by commas, of ${gateBlockerSchema.options.join(', ')}; default: the first four`,
      ).argParser(blockersOf),
    )
    .addOption(
      new Option(
        '--threshold <percentage>',
        "regressions smaller than this do not block; default: the campaign's threshold",
      ).argParser(fractionOf),
    )
    .addOption(
      new Option(
        '--confirm <rounds>',
        `measure regressions again with so many rounds; default: ${defaultConfirmRounds}`,
      ).argParser(roundsOf),
    )
    .option('--no-confirm', 'let one measurement decide')
    .option('--junit <file>', 'also write JUnit XML')
    .option('--markdown <file>', 'also write a comment for a merge request')
    .addOption(pinOption())
    .addOption(formatOption(({ needsSamples, name }) => !needsSamples && name !== 'json'))
    .option('--json', 'print the outcome as JSON instead')
    .addHelpText(
      'after',
      `
Rows that a person accepted (assay review accept) do not block.`,
    )
    .action(async (file: string | undefined, options: GateOptions) => {
      if (options.server !== undefined && (options.run ?? options.pin) !== undefined) {
        command.error('with --server, neither --run nor --pin can be given', {
          exitCode: exitCodes.usage,
        })
      }
      if ((file === undefined) === (options.run === undefined)) {
        command.error('name a campaign to measure, or a run by --run', {
          exitCode: exitCodes.usage,
        })
      }
      const gated =
        file === undefined
          ? taken(options.run ?? 'latest', options, surroundings)
          : await gatedOf(file, options, surroundings)
      tell(gated, options, surroundings)
    })
  const onServer = serverOptions('run', 'let this server measure and decide')
  for (const option of [...planOptions(), ...onServer]) command.addOption(option)
  return command
}
