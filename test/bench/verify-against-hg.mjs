/**
 * `verify` of the embedded engine against Debian's `hg`: wall-clock ratio, interleaved in random order,
 * and peak memory.
 *
 *   node test/bench/verify-against-hg.mjs [--rounds N] [--scale S] [REPOSITORY ...]
 *
 * Without repositories: a generated netbeans-like one at the scale (0.3334: 100,020 changesets). Run it
 * after `npm run build`. Both read and hash the same texts, and both by SHA-1; hg's is the variant that
 * detects collisions (sha1dc), which takes two to three times as long a byte as OpenSSL's.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDataset } from '@assay/bench'
import { childEnvironment, openLauncher } from '@assay/measure'
import { interleave, median, printTable } from './table.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    scale: { type: 'string', default: '0.3334' },
  },
})
const rounds = Number(values.rounds)
const revlog = createRequire(import.meta.url).resolve('@assay/revlog/cli')
const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-'))

const generated = async () => {
  const directory = join(scratch, 'netbeans-like')
  const recipe = { preset: 'netbeans-like', scale: Number(values.scale), seed: '1' }
  await generateDataset({ ...recipe, format: ['zstd', 'sparse-revlog'], directory })
  return directory
}
const repositories = positionals.length > 0 ? positionals : [await generated()]

// Datasets may have what hg's slower flavors accept only when they are told to.
const slow = ['persistent-nodemap', 'dirstate-v2']
const allow = slow.flatMap((name) => [
  '--config',
  `storage.${name === 'dirstate-v2' ? name : `revlog.${name}`}.slow-path=allow`,
])
const engines = {
  hg: (repository) => ['/usr/bin/hg', '-R', repository, 'verify', '-q', ...allow],
  revlog: (repository) => [process.execPath, revlog, '-R', repository, 'verify', '-q'],
}

const launcher = await openLauncher({ hostLock: null })
const environment = childEnvironment({ path: process.env.PATH, home: scratch, paddingBytes: 0 })
const usageOf = async (argv) => {
  const result = await launcher.run({
    invocation: { argv, workingDirectory: scratch, environment, expectedExitCodes: [0] },
    stdout: '/dev/null',
    stderr: join(scratch, 'stderr'),
    timeoutSeconds: 600,
  })
  if (result.outcome !== 'good') throw new Error(`${argv.join(' ')}: ${result.explanation}`)
  return result.usage
}

const mebibytes = (usages) =>
  Math.ceil(Math.max(...usages.map((one) => one.peakRssBytes)) / 2 ** 20)
const secondsOf = (usages) => median(usages.map((one) => one.wallSeconds)).toFixed(2)
const rows = []
for (const repository of repositories) {
  const used = { hg: [], revlog: [] }
  await interleave(Object.keys(engines), rounds, async (name) => {
    used[name].push(await usageOf(engines[name](repository)))
  })
  const ratios = used.revlog.map((one, at) => one.wallSeconds / used.hg[at].wallSeconds)
  rows.push([
    repository.split('/').at(-1),
    secondsOf(used.hg),
    secondsOf(used.revlog),
    median(ratios).toFixed(2),
    mebibytes(used.hg),
    mebibytes(used.revlog),
  ])
}
await launcher.close()
rmSync(scratch, { recursive: true })
printTable(
  ['repository', 'hg s', 'revlog s', `ratio (median of ${rounds} pairs)`, 'hg MiB', 'revlog MiB'],
  rows,
)
console.log(
  "hg's SHA-1 detects collisions, which the engine's does not: part of the ratio is that.",
)
