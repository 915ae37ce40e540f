/**
 * What a measurement by the launcher costs and how true it is, against hyperfine as a yardstick.
 * Run after a build: node test/bench/launcher.mjs [rounds] [runs per round]
 *
 * Both measure /usr/bin/true without a shell, in the same small environment, by turns in a random
 * order. `measured` is the wall time they report, at the median of all runs; `cost` is what one run
 * takes from the outside, at the median of the rounds (for hyperfine with its own start and end, shared
 * by the runs of a round). Then: the peak memory of /usr/bin/true under a parent of 500 MiB.
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLauncher } from '@assay/measure'
import { median } from './table.mjs'

const [rounds = 15, runs = 200] = process.argv.slice(2).map(Number)
const program = '/usr/bin/true'
const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
const invocation = { argv: [program], workingDirectory: '/', environment, expectedExitCodes: [0] }
const request = { invocation, stdout: '/dev/null', stderr: '/dev/null', timeoutSeconds: 10 }
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))

const byLauncher = (kind) => async () => {
  const launcher = await openLauncher({ hostLock: null, kind })
  const times = []
  for (let run = 0; run < runs; run++) times.push((await launcher.run(request)).usage.wallSeconds)
  await launcher.close()
  return times
}

const byHyperfine = async () => {
  const json = join(folder, 'hyperfine.json')
  const words = ['-N', '--style', 'none', '--runs', String(runs), '--export-json', json, program]
  const { status, error } = spawnSync('hyperfine', words, { env: environment, stdio: 'ignore' })
  if (status !== 0) throw new Error(`hyperfine failed: ${error?.message ?? `exit code ${status}`}`)
  return JSON.parse(readFileSync(json, 'utf8')).results[0].times
}

const contenders = [
  { name: 'launcher (native)', measure: byLauncher('native'), times: [], costs: [] },
  { name: 'launcher (koffi)', measure: byLauncher('koffi'), times: [], costs: [] },
  { name: 'hyperfine -N', measure: byHyperfine, times: [], costs: [] },
]

const shuffled = (values) => {
  const rest = [...values]
  return values.map(() => rest.splice(randomInt(rest.length), 1)[0])
}

for (let round = 0; round < rounds; round++)
  for (const contender of shuffled(contenders)) {
    const started = performance.now()
    contender.times.push(...(await contender.measure()))
    contender.costs.push((performance.now() - started) / runs)
  }

const millis = (value) => `${value.toFixed(3).padStart(8)} ms`
console.log(`${program}, ${rounds} rounds of ${runs} runs each, random order`)
console.log(`${''.padEnd(20)}${'measured'.padStart(11)}${'cost'.padStart(14)}`)
for (const { name, times, costs } of contenders)
  console.log(`${name.padEnd(20)}${millis(median(times) * 1000)}   ${millis(median(costs))}`)

const mebibytes = (bytes) => (bytes === null ? 'unknown' : `${(bytes / 2 ** 20).toFixed(2)} MiB`)
const peak = async (kind) => {
  const launcher = await openLauncher({ hostLock: null, kind })
  const { usage } = await launcher.run(request)
  await launcher.close()
  return mebibytes(usage.peakRssBytes)
}

const small = await peak('native')
const ballast = Buffer.alloc(500 * 2 ** 20, 1)
console.log(`\npeak memory of ${program}`)
console.log(`native, small parent          ${small}`)
console.log(`native, parent of ${mebibytes(process.memoryUsage.rss())}  ${await peak('native')}`)
console.log(
  `koffi, the same parent        ${await peak('koffi')}  (ballast ${ballast.length} bytes)`,
)
rmSync(folder, { recursive: true })
