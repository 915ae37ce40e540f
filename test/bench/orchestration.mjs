/**
 * What orchestration adds to a sample beyond the child's own time: a campaign of `exec true` with
 * 1,000 samples through plan, queue, launcher, host lock and store, in one process.
 *
 *   node test/bench/orchestration.mjs [--rounds N]
 *
 * Run it after `npm run build`. The time between the starts of two rounds, less the wall-clock time
 * of the children in between, is divided by the samples of a round.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { catalogue, engines } from '@assay/bench'
import { localDatasets, openHost, startRun, storeSink, work } from '@assay/orchestrator'
import { defaultPool, openEmbeddedCourier } from '@assay/queue'
import { openStore } from '@assay/store'
import { median, printTable } from './table.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '500' } } })
const rounds = Number(values.rounds)
const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const yaml = `
compare: { mode: { first: no-mmap, second: mmap-no-populate } }
engines: [exec]
benchmarks: [{ name: exec, command: ["true", "\${mode}"] }]
sampling: { rounds: ${rounds}, warmups: 1 }
`
const store = openStore({ path: join(scratch, 'assay.db'), access: 'write', now: Date.now })
const courier = openEmbeddedCourier({ store })
const site = { store, courier, catalogue, now: Date.now, newId: () => 'bench' }
const overrides = { seed: '1', only: [], skip: [], quick: false }
await startRun({ campaign: { file: 'bench.yaml', text: yaml }, name: null, overrides }, site)

const savedAt = []
const onEvent = (event) => {
  if (event.type === 'round-saved' && !event.warmup) savedAt.push(performance.now())
}
const host = await openHost({
  ...{ engines, scratchRoot: scratch, datasetsDirectory: scratch, worker: 'bench' },
})
await work(
  courier,
  {
    ...host,
    sink: storeSink(store, () => 'token'),
    datasets: localDatasets(scratch, onEvent),
    onEvent,
  },
  {
    ...{ pool: defaultPool, stop: new AbortController().signal, waitMillis: 100 },
    goOn: () => store.blocks.listOf('bench').some(({ status }) => status !== 'done'),
  },
)

const wallMillis = new Map()
let cursor = null
do {
  const page = store.samples.ofRun('bench', { limit: 1000, cursor })
  for (const { round, warmup, usage } of page.samples) {
    if (!warmup) wallMillis.set(round, (wallMillis.get(round) ?? 0) + usage.wallSeconds * 1000)
  }
  cursor = page.nextCursor
} while (cursor !== null)
const added = savedAt
  .slice(1)
  .map((at, index) => (at - savedAt[index] - (wallMillis.get(index + 2) ?? 0)) / 2)
  .sort((left, right) => left - right)
const quantile = (share) => added[Math.floor(share * (added.length - 1))].toFixed(2)
await courier.close()
store.close()
rmSync(scratch, { recursive: true })
printTable(
  ['samples', 'child p50 ms', 'added p50 ms', 'added p90 ms', 'added p99 ms'],
  [
    [
      rounds * 2,
      median([...wallMillis.values()].map((millis) => millis / 2)).toFixed(2),
      quantile(0.5),
      quantile(0.9),
      quantile(0.99),
    ],
  ],
)
