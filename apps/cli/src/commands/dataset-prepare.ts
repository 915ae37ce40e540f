/**
 * `assay dataset prepare`: a preset, a source or everything that a campaign names, made ready beside
 * the store before anything is measured; or a preset generated into a folder of one's choice.
 */
import { resolve } from 'node:path'
import {
  catalogue,
  generateDataset,
  locatedDataset,
  locationLabel,
  type PreparedDataset,
  prepareDataset,
} from '@assay/bench'
import { AssayError, type DatasetSpec } from '@assay/model'
import { recipeOf, validateCampaign } from '@assay/orchestrator'
import { Command, InvalidArgumentError, Option } from 'commander'
import { chosenStorePath, datasetsDirectory, type Surroundings } from '../config.ts'
import { jsonOption } from './options.ts'
import { readCampaign } from './read-campaign.ts'

const positiveNumber = (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError('write a number above 0, e.g. 0.1')
  }
  return value
}

const commaSeparated = (text: string): string[] => text.split(',').map((tag) => tag.trim())

/** What was written; options of the sources come under their own names. */
interface PrepareOptions {
  readonly scale: number
  readonly out?: string
  readonly datasets?: string
  readonly format?: string[]
  readonly seed: string
  readonly digest?: string
  readonly json?: boolean
  readonly sha256?: string[]
  readonly revisions?: string[]
}

const generatedFormat = ['zstd', 'sparse-revlog'] as const

const interrupted = (what: string): AssayError =>
  new AssayError({
    code: 'interrupted',
    kind: 'unmeasurable',
    message: `stopped; nothing was left in ${what}`,
  })

const outOfPlace = (what: string): AssayError =>
  new AssayError({
    code: 'out-of-presets',
    kind: 'usage',
    message: `--out is for presets alone; ${what} is prepared beside the store (--datasets says where else)`,
  })

const sourcePattern = new RegExp(
  `^(${catalogue.sources.map(({ name }) => name).join('|')}):(.*)$`,
  's',
)

const sourceOptionsOf = (options: PrepareOptions): Record<string, string[]> => ({
  ...(options.sha256 === undefined ? {} : { sha256: options.sha256 }),
  ...(options.revisions === undefined ? {} : { revisions: options.revisions }),
})

/** The datasets that an argument stands for: those of a campaign, a source's, a preset's. */
const specsOf = async (
  what: string,
  options: PrepareOptions,
  { workingDirectory }: Surroundings,
): Promise<readonly DatasetSpec[]> => {
  const { scale, seed, format, digest } = options
  const [, kind, place = ''] = sourcePattern.exec(what) ?? []
  if (kind !== undefined) {
    const source = { kind, location: place, options: sourceOptionsOf(options) }
    const pinned = digest === undefined ? {} : { digest }
    const spec = { name: locationLabel(place), source, format: format ?? [], ...pinned }
    return [locatedDataset(spec, workingDirectory)]
  }
  if (!/\.ya?ml$/.test(what)) {
    return [{ name: what, generate: what, scale, seed, format: format ?? [...generatedFormat] }]
  }
  const { datasets } = validateCampaign(await readCampaign(what), catalogue)
  return datasets.map((spec) => locatedDataset(spec, workingDirectory))
}

const prepareInto = async (
  directory: string,
  spec: DatasetSpec,
  { out, err, isTerminal, stop, json }: Surroundings & { readonly json: boolean },
): Promise<void> => {
  const recipe = recipeOf(spec)
  if ('source' in recipe) throw outOfPlace(spec.name)
  const onProgress = (done: number, total: number): void => {
    if (isTerminal) err(`\r${done} of ${total} revisions`)
  }
  const made = await generateDataset({ ...recipe, onProgress, directory, signal: stop }).catch(
    (error: unknown) => {
      throw stop.aborted ? interrupted(directory) : error
    },
  )
  if (isTerminal) err('\r\u001b[K')
  const { revisions, files, bytes } = made
  if (json) out(`${JSON.stringify(made, null, 2)}\n`)
  else out(`${directory}: ${revisions} revisions, ${files} files, ${bytes} bytes\n`)
}

interface NamedDataset extends PreparedDataset {
  readonly name: string
}

const prepareOnShelf = async (
  cacheDirectory: string,
  specs: readonly DatasetSpec[],
  { err, isTerminal, stop }: Surroundings,
): Promise<readonly NamedDataset[]> => {
  const made: NamedDataset[] = []
  for (const spec of specs) {
    if (isTerminal) err(`\r\u001b[K${spec.name}: preparing`)
    const onProgress = (done: number, total: number): void => {
      if (isTerminal && total > 0) err(`\r\u001b[K${spec.name}: ${done} of ${total} revisions`)
    }
    const prepared = await prepareDataset({
      ...{ spec: recipeOf(spec), cacheDirectory, onProgress, signal: stop },
    }).catch((error: unknown) => {
      throw stop.aborted ? interrupted(cacheDirectory) : error
    })
    made.push({ name: spec.name, ...prepared })
  }
  if (isTerminal) err('\r\u001b[K')
  return made
}

const helpText = (): string => {
  const row = ({ name, summary }: { readonly name: string; readonly summary: string }): string =>
    `  ${name.padEnd(20)}${summary}\n`
  const sources = catalogue.sources.map((source) =>
    row({ ...source, name: `${source.name}:PLACE` }),
  )
  return `\nPresets:\n${catalogue.presets.map(row).join('')}\nSources:\n${sources.join('')}  ${'FILE.yaml'.padEnd(20)}every dataset of a campaign\n`
}

const collect = (text: string, previous: readonly string[] | undefined): string[] => [
  ...(previous ?? []),
  text,
]

const sourceOptions = (): readonly Option[] =>
  catalogue.sources
    .flatMap(({ options }) => options)
    .filter(({ name }, index, all) => all.findIndex((one) => one.name === name) === index)
    .map(({ name, summary }) =>
      new Option(`--${name} <text>`, `of a source: ${summary}`).argParser(collect),
    )

export const prepareCommand = (surroundings: Surroundings): Command => {
  const command = new Command('prepare')
    .description('make a dataset ready; same preset, scale, format and seed: same bytes')
    .addHelpText('after', helpText())
    .argument('<what>', 'a preset, a source or a campaign, see below')
    .option('--out <folder>', 'of a preset: where the repository is made; must not exist')
    .option('--datasets <folder>', 'where datasets are kept; default: beside the store')
    .option('--scale <fraction>', "fraction of the original's changesets", positiveNumber, 0.01)
    .addOption(
      new Option(
        '--format <tags>',
        `of ${catalogue.formats.join(', ')}; default: zstd,sparse-revlog for a preset, as it comes for a source`,
      ).argParser(commaSeparated),
    )
    .option('--seed <text>', 'decides every name, edit and date', '1')
    .option('--digest <digits>', 'of a source: the digest that it must have, else it is refused')
    .addOption(jsonOption())
  for (const option of sourceOptions()) command.addOption(option)
  return command.action(async (what: string, options: PrepareOptions) => {
    const specs = await specsOf(what, options, surroundings)
    const json = options.json === true
    if (options.out !== undefined) {
      const [spec] = specs
      if (spec === undefined || specs.length > 1) throw outOfPlace(what)
      return prepareInto(options.out, spec, { ...surroundings, json })
    }
    const { out } = surroundings
    const kept = options.datasets ?? datasetsDirectory(chosenStorePath({}, surroundings))
    const made = await prepareOnShelf(resolve(kept), specs, surroundings)
    if (json) out(`${JSON.stringify(made, null, 2)}\n`)
    else
      out(
        made
          .map(
            ({ name, directory, revisions, digest }) =>
              `${name}: ${revisions} revisions, digest ${digest}, in ${directory}\n`,
          )
          .join(''),
      )
  })
}
