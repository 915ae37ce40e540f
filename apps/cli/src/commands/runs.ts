/** `assay runs`: what was measured, newest first. */
import type { RunProgress } from '@assay/model'
import { Command, InvalidArgumentError } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { readStore } from '../read-store.ts'
import { tableText } from '../table-text.ts'
import { momentText } from '../time-text.ts'
import { dbOption, jsonOption } from './options.ts'

const wholeNumber = (text: string): number => {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new InvalidArgumentError('write a whole number from 1')
  return Number(text)
}

const headings = ['run', 'name', 'campaign', 'status', 'begun (UTC)', 'blocks', 'cells', 'samples']

const columnsOf = (run: RunProgress): string[] => [
  run.id,
  run.name ?? '',
  run.campaign,
  run.invalid === null ? run.status : `${run.status}, invalid`,
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
      if (options.json === true) surroundings.out(`${JSON.stringify(runs, null, 2)}\n`)
      else surroundings.out(tableText(headings, runs.map(columnsOf)))
    })
