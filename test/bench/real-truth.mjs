/**
 * Verdicts on this machine where the truth is known: reports of the embedded engine against itself
 * (nothing may be flagged), and a program that does 5 % or 3 % more work (it must be found).
 *
 *   node test/bench/real-truth.mjs [--reports N] [--campaigns N] [--pin CHILD/DRIVER]
 *
 * `--pin none` shows what pinning is for: where a neighbour of the host loads one processor and not
 * the other, pairs that hop between the two differ by more than any change. Run it after `npm run build`, on a quiet machine; with the defaults it takes about half an hour.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { catalogue, engines } from '@assay/bench'
import { judgeRun, localDatasets, openHost, startRun, storeSink, work } from '@assay/orchestrator'
import { defaultPool, openEmbeddedCourier } from '@assay/queue'
import { openStore } from '@assay/store'
import { median, printTable } from './table.mjs'

const { values } = parseArgs({
  options: {
    reports: { type: 'string', default: '60' },
    campaigns: { type: 'string', default: '20' },
    pin: { type: 'string', default: '1/0' },
  },
})
const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const store = openStore({ path: join(scratch, 'assay.db'), access: 'write', now: Date.now })
const courier = openEmbeddedCourier({ store })
let runs = 0
let tokens = 0
const newId = () => {
  runs += 1
  return `truth-${runs}`
}
const newToken = () => {
  tokens += 1
  return `token-${tokens}`
}
const datasetsDirectory = join(scratch, 'datasets')
const [child, driver] = values.pin === 'none' ? [null, null] : values.pin.split('/')
const host = await openHost({
  ...{ engines, scratchRoot: scratch, datasetsDirectory, worker: 'bench' },
  pinning: { child, driver },
})
const onEvent = () => undefined
const site = {
  ...host,
  sink: storeSink(store, newToken),
  datasets: localDatasets(datasetsDirectory, onEvent),
  onEvent,
}

/** Measures a campaign to its end and judges it. */
const reportOf = async (yaml, seed) => {
  const run = await startRun(
    {
      campaign: { file: 'truth.yaml', text: yaml },
      name: null,
      overrides: { seed, only: [], skip: [], quick: false },
    },
    { store, courier, catalogue, now: Date.now, newId },
  )
  const open = () => store.blocks.listOf(run.id).some(({ status }) => status !== 'done')
  const stop = new AbortController().signal
  await work(courier, site, { pool: defaultPool, stop, waitMillis: 100, goOn: open })
  return judgeRun(run.id, store)
}

const comparisonsOf = ({ blocks }) =>
  blocks.flatMap(({ rows }) =>
    rows.flatMap(({ comparison, role }) => (role === 'candidate' ? [comparison] : [])),
  )
const isFlagged = ({ verdict }) => verdict === 'regression' || verdict === 'improvement'

/** Both limits are beyond the one revision that is displayed: the same work under two labels. */
const sameTwice = `
compare: { limit-rev: { first: 100000, second: 100001 } }
datasets: { small: { generate: mercurial-like, scale: 0.005, format: [zstd] } }
benchmarks: [{ name: hg.command.log, with: { rev: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } }]
sampling: { rounds: 12, warmups: 1 }
`
const reports = Number(values.reports)
let flaggedReports = 0
let flaggedRows = 0
for (let report = 0; report < reports; report += 1) {
  const flagged = comparisonsOf(await reportOf(sameTwice, `same ${report}`)).filter(isFlagged)
  flaggedRows += flagged.length
  if (flagged.length > 0) flaggedReports += 1
}
if (reports > 0) {
  printTable(
    ['reports of the same twice', 'rows each', 'with a flagged row', 'flagged rows'],
    [[reports, 10, flaggedReports, flaggedRows]],
  )
}

/** About 50 ms of work here; the loop's length is the work. */
const loopLength = 1_600_000
const slower = (percent, rounds) => `
compare:
  length: { before: "${loopLength}", after: "${Math.round(loopLength * (1 + percent / 100))}" }
engines: [exec]
benchmarks: [{ name: exec, command: [awk, "BEGIN { for (i = 0; i < \${length}; i++) s += i }"] }]
sampling: { rounds: 20..${rounds}, precision: 0.5%, warmups: 2 }
`
const campaigns = Number(values.campaigns)
const rows = []
for (const { percent, rounds } of [
  { percent: 5, rounds: 45 },
  { percent: 3, rounds: 90 },
]) {
  const found = []
  for (let campaign = 0; campaign < campaigns; campaign += 1) {
    found.push(...comparisonsOf(await reportOf(slower(percent, rounds), `${percent}/${campaign}`)))
  }
  if (found.length === 0) continue
  rows.push([
    `+${percent} %`,
    rounds,
    campaigns,
    found.filter(({ verdict }) => verdict === 'regression').length,
    found.filter(({ verdict }) => verdict === 'improvement').length,
    `${(Math.expm1(median(found.map(({ effect }) => effect))) * 100).toFixed(2)} %`,
    median(found.map(({ pairs }) => pairs)),
  ])
}
printTable(
  [
    'injected',
    'most rounds',
    'campaigns',
    'found',
    'wrong sign',
    'median estimate',
    'median rounds',
  ],
  rows,
)
await courier.close()
store.close()
rmSync(scratch, { recursive: true })
