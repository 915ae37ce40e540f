/**
 * A writer that is there to be killed: opens the store, takes the block, and saves round after round
 * as fast as it can. A line per acknowledged round, written at once, tells what must never be lost.
 * Arguments: the store's file, a token, the number of the first round, and how many rounds come at
 * once: more than one share their commits.
 */
import { writeSync } from 'node:fs'
import { digestOf } from '@assay/model'
import { openStore } from '@assay/store'

const [path, token, first, together = '1'] = process.argv.slice(2)
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`)

const usage = {
  ...{ wallSeconds: 0.1, userSeconds: 0.05, systemSeconds: 0.03, peakRssBytes: 12_345_678 },
  ...{ minorFaults: 1, majorFaults: 0, voluntarySwitches: 1, involuntarySwitches: 1 },
  ...{ blocksIn: 0, blocksOut: 0 },
}
const conditions = {
  ...{ bootSeconds: 1, load: null, cpuPressure: null, ioPressure: null, stealSeconds: null },
  ...{ temperatureCelsius: null, frequencyMegahertz: null },
}

const store = openStore({ path, access: 'write', now: Date.now })
const facts = { 'cpu.model': 'one and the same' }
const taken = store.blocks.take({
  ...{ runId: 'run-1', blockId: 'b1', token, worker: `worker ${process.pid}` },
  fingerprint: { digest: digestOf(facts), facts },
  leaseMillis: 60_000,
})
say({ saved: taken.take.savedRounds })
const requestOf = (number) => {
  const samples = taken.block.cells.map((cell, position) => ({
    ...{ cellId: cell.id, position, outcome: 'good', exitCode: 0, signal: null, usage },
    ...{ metrics: { readBytes: number }, loops: 1, stackPaddingBytes: 0, stderr: '' },
  }))
  const round = { number, warmup: false, conditions, samples }
  return { token, digest: digestOf(round), round }
}

const count = Number(together)
for (let number = Number(first); ; number += count) {
  if (count === 1) {
    store.rounds.put(requestOf(number))
    say({ round: number })
    continue
  }
  const numbers = Array.from({ length: count }, (_, at) => number + at)
  await Promise.all(
    numbers.map(async (each) => {
      await store.rounds.putGrouped(requestOf(each))
      say({ round: each })
    }),
  )
}
