/**
 * What the access modes cost in memory when several processes use one repository at the same time,
 * beside what Mercurial's change 522b4d729e89 (populate the mapping by default) says of it: "In all
 * cases, using mmap has a great effect on memory usage when many processes run in parallel on the same
 * machine." The embedded engine on a 64 MB index (1,000,000 revisions), 1 and N processes at once.
 *
 *   node test/bench/parallel-memory.mjs [--rounds N] [--parallel N] [--revisions N] [--folder FOLDER]
 *
 * Run it after `npm run build`. Numbers are MiB, medians of the rounds. Peak resident memory is that
 * of the largest process; it counts a private copy and a mapping alike. `proportional` counts a page
 * that N processes share for 1/N in each, `own` only what belongs to one process alone: both the
 * largest sum over all processes at one moment.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDataset } from '@assay/bench'
import { childEnvironment, openLauncher } from '@assay/measure'
import { interleave, median, printTable } from './table.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    parallel: { type: 'string', default: '8' },
    revisions: { type: 'string', default: '1000000' },
    folder: { type: 'string', default: tmpdir() },
  },
})
const rounds = Number(values.rounds)
const most = Number(values.parallel)
const revisions = Number(values.revisions)
const engine = new URL('../../packages/revlog/dist/revlog.cjs', import.meta.url).pathname
const scan = new URL('access-index.mjs', import.meta.url).pathname
const modes = ['no-mmap', 'mmap-no-populate', 'mmap-populate', 'mmap-populate-thread']

const folder = mkdtempSync(join(values.folder, 'assay-bench-'))
const directory = join(folder, 'repository')
await generateDataset({
  ...{ preset: 'changelog-only', scale: revisions / 1_000_000, format: ['zstd'], seed: '1' },
  directory,
})
const index = join(directory, '.hg/store/00changelog.i')
const works = {
  'log -r tip': (mode) => [engine, '-R', directory, '--mode', mode, 'log', '-r', 'tip'],
  'full scan': (mode) => [scan, index, mode, 'full scan', String(revisions)],
}

const launcher = await openLauncher({ hostLock: null })
const stderr = join(folder, 'stderr')
const environment = childEnvironment({ path: process.env.PATH, home: folder, paddingBytes: 0 })
const measure = async ({ work, mode, parallel }) => {
  const argv = [process.execPath, ...works[work](mode)]
  const result = await launcher.run({
    invocation: { argv, workingDirectory: folder, environment, expectedExitCodes: [0] },
    ...{ stdout: '/dev/null', stderr, timeoutSeconds: 120, parallel, memory: true },
  })
  if (result.outcome !== 'good')
    throw new Error(`${result.explanation}\n${readFileSync(stderr, 'utf8')}`)
  return { ...result.memory, peakRssBytes: result.usage.peakRssBytes }
}

const cases = Object.keys(works).flatMap((work) =>
  modes.flatMap((mode) => [1, most].map((parallel) => ({ work, mode, parallel, samples: [] }))),
)
await interleave(cases, rounds, async (one) => {
  one.samples.push(await measure(one))
})
await launcher.close()
rmSync(folder, { recursive: true })

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(0)
const of = ({ samples }, name) => median(samples.map((sample) => sample[name]))
const baseline = ({ work, parallel }) =>
  cases.find((one) => one.work === work && one.parallel === parallel && one.mode === modes[0])
printTable(
  ['work', 'processes', 'mode', 'peak resident', 'proportional', 'own', 'against no-mmap'],
  [...cases]
    .sort((a, b) => (a.work === b.work ? a.parallel - b.parallel : 0))
    .map((one) => [
      one.work,
      one.parallel,
      one.mode,
      mebibytes(of(one, 'peakRssBytes')),
      mebibytes(of(one, 'peakPssBytes')),
      mebibytes(of(one, 'peakAnonBytes')),
      `${((of(one, 'peakPssBytes') / of(baseline(one), 'peakPssBytes') - 1) * 100).toFixed(0)}%`,
    ]),
)
