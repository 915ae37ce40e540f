/** `assay runs`: what was measured, newest first. */
import type { RunProgress } from '@assay/model'
import { Command, InvalidArgumentError } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { interruptionIn } from '../interruption.ts'
import { readStore } from '../read-store.ts'
import { tableText } from '../table-text.ts'
import { momentText } from '../time-text.ts'
import { dbOption, jsonOption } from './options.ts'

const wholeNumber = (text: string): number => {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new InvalidArgumentError('write a whole number from 1')
  return Number(text)
}

/** A run, and whether nobody goes on with it unless told to. */
interface ListedRun extends RunProgress {
  readonly interrupted: boolean
}

const headings = ['run', 'name', 'campaign', 'status', 'begun (UTC)', 'blocks', 'cells', 'samples']

const columnsOf = (run: ListedRun): string[] => [
  run.id,
  run.name ?? '',
  run.campaign,
  [run.interrupted ? 'interrupted' : run.status, ...(run.invalid === null ? [] : ['invalid'])].join(
    ', ',
  ),
  momentText(run.createdAt),
  `${run.blocks.finished}/${run.blocks.total}`,
  `${run.cells.measured}/${run.cells.total}`,
  String(run.samples),
]

export const runsCommand = (surroundings: Surroundings): Command =>
  new Command('runs')
    .description('list runs, newest first')
    .addOption(dbOption())
    .option('--limit <count>', 'how many at most', wholeNumber, 20)
    .addOption(jsonOption())
    .action((options: { db?: string; limit: number; json?: boolean }) => {
      const path = chosenStorePath(options, surroundings)
      const { runs } = readStore(path, surroundings, (store) =>
        store.runs.list({ limit: options.limit, cursor: null }),
      )
      const isInterrupted = interruptionIn(path)
      const listed = runs.map((run) => ({ ...run, interrupted: isInterrupted(run) }))
      if (options.json === true) surroundings.out(`${JSON.stringify(listed, null, 2)}\n`)
      else surroundings.out(tableText(headings, listed.map(columnsOf)))
    })
