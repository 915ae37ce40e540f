/** `assay dataset prepare`: generate a dataset into a folder of one's choice. */
import { catalogue, generateDataset } from '@assay/bench'
import { AssayError } from '@assay/model'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Surroundings } from '../config.ts'
import { jsonOption } from './options.ts'

const positiveNumber = (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError('write a number above 0, e.g. 0.1')
  }
  return value
}

const commaSeparated = (text: string): string[] => text.split(',').map((tag) => tag.trim())

interface PrepareOptions {
  readonly scale: number
  readonly out: string
  readonly format: string[]
  readonly seed: string
  readonly json?: boolean
}

const stopped = (directory: string): AssayError =>
  new AssayError({
    code: 'interrupted',
    kind: 'unmeasurable',
    message: `stopped; nothing was left in ${directory}`,
  })

const prepareCommand = ({ out, err, isTerminal, stop }: Surroundings): Command =>
  new Command('prepare')
    .description('generate a repository; same preset, scale, format and seed: same bytes')
    .addHelpText(
      'after',
      `\nPresets:\n${catalogue.presets.map(({ name, summary }) => `  ${name.padEnd(20)}${summary}\n`).join('')}`,
    )
    .argument('<preset>', 'the shape of the repository')
    .requiredOption('--out <folder>', 'where the repository is made; must not exist')
    .option('--scale <fraction>', "fraction of the original's changesets", positiveNumber, 0.01)
    .addOption(
      new Option('--format <tags>', `of ${catalogue.formats.join(', ')}`)
        .argParser(commaSeparated)
        .default(['zstd', 'sparse-revlog'], 'zstd,sparse-revlog'),
    )
    .option('--seed <text>', 'decides every name, edit and date', '1')
    .addOption(jsonOption())
    .action(async (preset: string, options: PrepareOptions) => {
      const { scale, format, seed } = options
      const onProgress = (done: number, total: number): void => {
        if (isTerminal) err(`\r${done} of ${total} revisions`)
      }
      const made = await generateDataset({
        ...{ preset, scale, format, seed, onProgress, directory: options.out, signal: stop },
      }).catch((error: unknown) => {
        throw stop.aborted ? stopped(options.out) : error
      })
      if (isTerminal) err('\r\u001b[K')
      if (options.json === true) out(`${JSON.stringify(made, null, 2)}\n`)
      else
        out(
          `${options.out}: ${made.revisions} revisions, ${made.files} files, ${made.bytes} bytes\n`,
        )
    })

export const datasetCommand = (surroundings: Surroundings): Command =>
  new Command('dataset')
    .description('repositories that benchmarks run on')
    .addCommand(prepareCommand(surroundings))
