/**
 * How long the judge takes, and how much memory: runs of about 100,000 samples from many short
 * comparisons to few long ones, judged on one core. Each size is judged in a fresh process, once
 * cold and then several times warm. Then the same for judging and printing in each format, of 200
 * comparisons with all their samples; cpu is of all threads, those of the compiler and the garbage
 * collector too, and does not grow with what else the machine does.
 *
 *     node test/bench/judge-speed.mjs
 */
import { execFileSync } from 'node:child_process'
import { seededRandom } from '@assay/model'
import { formatNamed, formats } from '@assay/report'
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

const usageOf = (wallSeconds) => ({
  wallSeconds,
  userSeconds: wallSeconds * 0.8,
  systemSeconds: wallSeconds * 0.1,
  peakRssBytes: 5e7 + Math.round(wallSeconds * 1e6),
  minorFaults: 9000,
  majorFaults: 0,
  voluntarySwitches: 3,
  involuntarySwitches: 1,
  blocksIn: 0,
  blocksOut: 0,
})

/** The samples behind the evidence, as the store gives them. */
const storedSamples = (evidence) =>
  evidence.blocks.flatMap(({ cells }) =>
    cells.flatMap(({ cellId, samples }) =>
      samples.map(({ round, position, outcome, value }) => ({
        cellId,
        take: 1,
        round,
        warmup: false,
        position,
        outcome,
        exitCode: 0,
        signal: null,
        usage: usageOf(value),
        metrics: { mappedBytes: 6.4e7 },
        loops: 1,
        stackPaddingBytes: 0,
        stderr: '',
      })),
    ),
  )

/** Judging and printing once, cold, as a command does. */
const measureFormat = (name) => {
  const evidence = evidenceOf({ comparisons: 200, rounds: 250 })
  const format = formatNamed(name)
  const samples = format.needsSamples ? storedSamples(evidence) : []
  const before = process.resourceUsage().maxRSS / 1024
  const cpuBefore = process.cpuUsage()
  const began = process.hrtime.bigint()
  const report = judgeRun(evidence)
  const judged = process.hrtime.bigint()
  const text = format.render(report, {}, { samples })
  const ended = process.hrtime.bigint()
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    cpu: (user + system) / 1e6,
    judge: Number(judged - began) / 1e9,
    render: Number(ended - judged) / 1e9,
    before,
    peakMebibytes: process.resourceUsage().maxRSS / 1024,
    mebibytes: Buffer.byteLength(text) / 1024 / 1024,
  }
}

const inFreshProcess = (task) =>
  JSON.parse(execFileSync(process.execPath, [process.argv[1], JSON.stringify(task)]).toString())

const printFormats = () => {
  const rows = formats.map(({ name }) => {
    const { judge, render, cpu, peakMebibytes, mebibytes } = inFreshProcess({ format: name })
    const figures = [judge, render, judge + render, cpu, mebibytes].map((value) => value.toFixed(2))
    return [name, ...figures, peakMebibytes.toFixed(0)]
  })
  console.log('')
  printTable(['format', 'judge s', 'render s', 'both s', 'cpu s', 'text MiB', 'peak MiB'], rows)
}

const [, , argument] = process.argv
if (argument !== undefined) {
  const { format, ...size } = JSON.parse(argument)
  console.log(JSON.stringify(format === undefined ? measureOne(size) : measureFormat(format)))
} else {
  const rows = sizes.map((size) => {
    const { cold, warm, peakMebibytes } = inFreshProcess(size)
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
  printFormats()
}
