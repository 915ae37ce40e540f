/**
 * Simulates reports and counts what is said of them, in a worker of `simulated-truth.mjs`: every
 * report has a seed of its own, so the counts are the same however the reports are shared out.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { isPrecise, judgeRun, looks } from '@assay/stats'
import { peerRules } from './peer-rules.mjs'
import { reportEvidence } from './simulated-evidence.mjs'
import { drawRows, measure, mostRounds, worlds } from './simulated-worlds.mjs'

const { seed, reports, roundCounts, changes, rowCount, withPeers } = workerData
/** Half-width of the interval at which a block stops by default. */
const precision = 0.01

const tally = new Map()
const count = (world, table, column, happened) => {
  const key = JSON.stringify([world.name, table, column])
  const entry = tally.get(key) ?? { world: world.name, table, column, happened: 0, of: 0 }
  tally.set(key, { ...entry, happened: entry.happened + (happened ? 1 : 0), of: entry.of + 1 })
}

const isFlagged = (row) => ['regression', 'improvement'].includes(row.comparison.verdict)
const judged = (series) => judgeRun(reportEvidence(series)).blocks.map((block) => block.rows[1])

/** A report of nothing: any flag is a false alarm. */
const simulateNothing = (world, rows) => {
  for (const rounds of roundCounts) {
    const lines = judged(rows.map((row) => measure(world, row, { rounds })))
    count(world, 'alarm', `${rounds} rounds`, lines.some(isFlagged))
    for (const { comparison } of lines) {
      const codes = comparison.warnings.map(({ code }) => code)
      for (const code of ['drift', 'several-modes']) {
        count(world, `warning ${code}`, `${rounds} rounds`, codes.includes(code))
      }
    }
  }
}

const simulateChanges = (world, rows) => {
  for (const { factor, rounds } of changes) {
    const [changed] = judged(
      rows.map((row, at) => measure(world, row, { rounds, factor: at === 0 ? factor : 1 })),
    )
    const column = `${((factor - 1) * 100).toFixed(0)} % in ${rounds} rounds`
    count(world, 'found', column, changed.comparison.verdict === 'regression')
  }
}

/** Each block stops at the first look at which it is precise, as the orchestrator's blocks do. */
const simulateLooks = (world, rows) => {
  const series = rows.map((row) => {
    const whole = measure(world, row, { rounds: mostRounds })
    const stop = looks.find((look) => look >= mostRounds || isPreciseAt(whole, look))
    return measure(world, row, { rounds: stop })
  })
  count(world, 'alarm', 'looks 20, 30, 45, 60', judged(series).some(isFlagged))
}

const isPreciseAt = (whole, look) => {
  const [block] = reportEvidence([
    { baseline: whole.baseline.slice(0, look), candidate: whole.candidate.slice(0, look) },
  ]).blocks
  return isPrecise(block.cells, precision)
}

/** Peers judge each row alone, so a lone change is found whatever the other rows are. */
const simulatePeers = (world, rows) => {
  for (const { name, layout, flags } of peerRules) {
    const flaggedAt = (row, at) => {
      const { baseline, candidate } = measure(world, row, { ...at, layout })
      return flags(baseline, candidate)
    }
    const alarmed = rows.map((row) => flaggedAt(row, { rounds: 20 }))
    count(world, name, 'row', alarmed[0])
    count(world, name, 'report', alarmed.includes(true))
    for (const at of changes) count(world, name, `found ${at.factor}`, flaggedAt(rows[0], at))
  }
}

for (const world of worlds) {
  for (const report of reports) {
    const rows = drawRows(world, rowCount, `${seed} ${world.name} ${report}`)
    simulateNothing(world, rows)
    simulateChanges(world, rows)
    simulateLooks(world, rows)
    if (withPeers) simulatePeers(world, rows)
  }
}

parentPort.postMessage([...tally.values()])
