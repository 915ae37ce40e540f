/** `assay import`: numbers measured elsewhere, judged by the same rules. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { AssayError } from '@assay/model'
import {
  type ImportRequest,
  importers,
  importRemarks,
  importRun,
  judgeImport,
  type PrintedRun,
  printRun,
} from '@assay/orchestrator'
import { renderReport } from '@assay/report'
import { openStore } from '@assay/store'
import { Argument, Command, Option } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { exitCodeOf } from './execute.ts'
import { dbOption } from './options.ts'
import { whyUnreadable } from './read-campaign.ts'
import { formatOption, jsonIsFormat } from './report.ts'

interface ImportOptions {
  readonly db?: string
  readonly name?: string
  readonly dryRun?: boolean
  readonly format: string
  readonly report?: string
}

const unreadable = (file: string, why: string): AssayError =>
  new AssayError({ code: 'import-unreadable', kind: 'usage', message: `${file}: ${why}` })

const readInput = async (file: string, { workingDirectory }: Surroundings): Promise<string> => {
  if (file === '-') return readAll(process.stdin)
  try {
    return await readFile(resolve(workingDirectory, file), 'utf8')
  } catch (error) {
    throw unreadable(
      file,
      whyUnreadable(file, error, 'correct the path, or write - for standard input'),
    )
  }
}

/** Stores the numbers as a complete run, which other commands then know; gives its report. */
const storeAndPrint = (
  request: ImportRequest,
  options: ImportOptions,
  surroundings: Surroundings,
): PrintedRun => {
  const path = chosenStorePath(options, surroundings)
  const opened = openStore({ path, access: 'write', now: surroundings.now })
  try {
    const newId = (): string => randomBytes(5).toString('hex')
    const { id } = importRun(request, { store: opened, now: surroundings.now, newId })
    surroundings.err(`run ${id}, store ${path}\n`)
    return printRun(id, opened, { format: options.report ?? options.format })
  } finally {
    opened.close()
  }
}

/** Judges the numbers and leaves no trace. */
const judgeAndPrint = (
  request: ImportRequest,
  options: ImportOptions,
  { now }: Surroundings,
): PrintedRun => {
  const report = judgeImport(request, now)
  return { report, text: renderReport(report, options.report ?? options.format) }
}

export const importCommand = (surroundings: Surroundings): Command =>
  new Command('import')
    .description('judge numbers of another tool: printed comparisons, hyperfine, pyperf')
    .addArgument(
      new Argument('<kind>', 'what the file is').choices(importers.map(({ name }) => name)),
    )
    .argument('<file...>', 'results; - is standard input; of several, the first is the baseline')
    .addOption(dbOption())
    .option('--name <name>', 'a name to find the run by')
    .option('--dry-run', 'print the report and store nothing')
    .addOption(formatOption())
    .addOption(
      new Option('--report <name>', 'the same as --format').choices(
        formatOption().argChoices ?? [],
      ),
    )
    .addOption(jsonIsFormat())
    .action(async (kind: string, names: readonly string[], options: ImportOptions) => {
      const files: { name: string; text: string }[] = []
      for (const name of names) files.push({ name, text: await readInput(name, surroundings) })
      const request = { files, kind, name: options.name ?? null }
      for (const remark of importRemarks(request)) surroundings.err(`${remark}\n`)
      const { text, report } =
        options.dryRun === true
          ? judgeAndPrint(request, options, surroundings)
          : storeAndPrint(request, options, surroundings)
      surroundings.out(text)
      process.exitCode = exitCodeOf(report)
    })
