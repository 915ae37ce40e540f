/**
 * How long the judge takes, and how much memory: runs of about 100,000 samples from many short
 * comparisons to few long ones, judged on one core. Each size is judged in a fresh process, once
 * cold and then several times warm.
 *
 *     node test/bench/judge-speed.mjs
 */
import { execFileSync } from 'node:child_process'
import { seededRandom } from '@assay/model'
import { judgeRun } from '@assay/stats'
import { reportEvidence } from './simulated-evidence.mjs'
import { median, printTable } from './table.mjs'

const sizes = [
  { comparisons: 2500, rounds: 20 },
  { comparisons: 500, rounds: 100 },
  { comparisons: 200, rounds: 250 },
  { comparisons: 100, rounds: 500 },
]
const warmRepeats = 5

const evidenceOf = ({ comparisons, rounds }) => {
  const random = seededRandom('judge speed')
  const side = () => Array.from({ length: rounds }, () => Math.exp(0.06 * (random() - 0.5)))
  return reportEvidence(
    Array.from({ length: comparisons }, () => ({ baseline: side(), candidate: side() })),
  )
}

const timed = (evidence) => {
  const began = process.hrtime.bigint()
  judgeRun(evidence)
  return Number(process.hrtime.bigint() - began) / 1e9
}

const measureOne = (size) => {
  const evidence = evidenceOf(size)
  const cold = timed(evidence)
  const warm = Array.from({ length: warmRepeats }, () => timed(evidence))
  // Kibibytes, by getrusage; the samples themselves and Node are in it.
  const peakMebibytes = process.resourceUsage().maxRSS / 1024
  return { cold, warm: median(warm), peakMebibytes }
}

const [, , argument] = process.argv
if (argument !== undefined) {
  console.log(JSON.stringify(measureOne(JSON.parse(argument))))
} else {
  const rows = sizes.map((size) => {
    const output = execFileSync(process.execPath, [process.argv[1], JSON.stringify(size)])
    const { cold, warm, peakMebibytes } = JSON.parse(output.toString())
    return [
      size.comparisons,
      size.rounds,
      size.comparisons * size.rounds * 2,
      cold.toFixed(2),
      warm.toFixed(2),
      peakMebibytes.toFixed(0),
    ]
  })
  printTable(['comparisons', 'rounds', 'samples', 'cold s', 'warm s', 'peak MiB'], rows)
}
