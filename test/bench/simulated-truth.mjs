/**
 * What the verdicts are worth where the truth is known: reports of 40 rows in simulated worlds,
 * judged by the product's own judge. How many reports of nothing raise an alarm, how often a lone
 * true change is found, whether looking for precision costs anything, how often a warning comes
 * without cause, and the same for the rules of other tools.
 *
 *     node test/bench/simulated-truth.mjs [--reports 1000] [--rounds 12,20,30] [--seed TEXT] [--no-peers] [--json]
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { peerRules } from './peer-rules.mjs'
import { worlds } from './simulated-worlds.mjs'
import { printTable } from './table.mjs'

const { values: options } = parseArgs({
  options: {
    reports: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '12,20,30' },
    seed: { type: 'string', default: 'simulated truth' },
    'no-peers': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const reports = Number(options.reports)
const roundCounts = options.rounds.split(',').map(Number)
const rowCount = 40
/** Lone true changes: factor on the candidate of the first row, and rounds. */
const changes = [
  { factor: 1.05, rounds: 20 },
  { factor: 1.03, rounds: 30 },
]

/** Reports shared out over the cores; counts of the same thing are added up. */
const simulate = async () => {
  const cores = availableParallelism()
  const shares = Array.from({ length: cores }, (_, core) =>
    Array.from({ length: reports }, (_report, at) => at).filter((at) => at % cores === core),
  )
  const counted = await Promise.all(
    shares.map(async (share) => {
      const workerData = { ...options, withPeers: !options['no-peers'], reports: share }
      const worker = new Worker(new URL('simulated-reports.mjs', import.meta.url), {
        workerData: { ...workerData, roundCounts, changes, rowCount },
      })
      const [message] = await once(worker, 'message')
      return message
    }),
  )
  const sums = new Map()
  for (const cell of counted.flat()) {
    const key = JSON.stringify([cell.world, cell.table, cell.column])
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, cell)
    else sums.set(key, { ...sum, happened: sum.happened + cell.happened, of: sum.of + cell.of })
  }
  return [...sums.values()]
}

const cells = await simulate()
const share = ({ happened, of }) => `${((100 * happened) / of).toFixed(1)} %`
const table = (name) => {
  const chosen = cells.filter((cell) => cell.table === name)
  const columns = [...new Set(chosen.map(({ column }) => column))]
  const rows = worlds.map((world) => [
    world.name,
    ...columns.map((column) =>
      share(chosen.find((cell) => cell.world === world.name && cell.column === column)),
    ),
  ])
  console.log('')
  printTable([name, ...columns], rows)
}

const peerTable = () => {
  const entry = (name, world, column) =>
    cells.find((cell) => cell.table === name && cell.world === world && cell.column === column)
  for (const { name: world } of worlds) {
    const rows = peerRules.map(({ name, layout }) => [
      name,
      layout,
      ...['row', 'report', ...changes.map(({ factor }) => `found ${factor}`)].map((column) =>
        share(entry(name, world, column)),
      ),
    ])
    console.log('')
    printTable([`${world}: rule`, 'measured', 'A/A row', 'A/A report', '+5 %', '+3 %'], rows)
  }
}

if (options.json) {
  console.log(JSON.stringify(cells))
} else {
  console.log(`${reports} reports of ${rowCount} rows in each world; seed '${options.seed}'.`)
  console.log('alarm: reports of nothing with any flagged row. found: a lone true change.')
  for (const name of ['alarm', 'found', 'warning drift', 'warning several-modes']) table(name)
  if (!options['no-peers']) peerTable()
}
