/**
 * The embedded engine against Debian's `hg`, wall-clock ratio, interleaved in random order.
 *
 *   node test/bench/engine-against-hg.mjs [--rounds N] [REPOSITORY ...]
 *
 * Without repositories: a generated mercurial-like one and a changelog of 1,000,000 revisions, made
 * in a temporary folder. Give a real history to compare on it too. Run it after `npm run build`.
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
  options: { rounds: { type: 'string', default: '31' } },
})
const rounds = Number(values.rounds)
const revlog = createRequire(import.meta.url).resolve('@assay/revlog/cli')
const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-'))

const generated = async (name, preset, scale) => {
  const directory = join(scratch, name)
  await generateDataset({ preset, scale, format: ['zstd', 'sparse-revlog'], seed: '1', directory })
  return directory
}

const repositories =
  positionals.length > 0
    ? positionals
    : [
        await generated('mercurial-like', 'mercurial-like', 0.1),
        await generated('million', 'changelog-only', 1),
      ]

const commands = [
  ['log', '-r', 'tip'],
  ['log', '-l', '10'],
  ['log', '-l', '1000'],
]
const engines = {
  hg: (repository, command) => ['/usr/bin/hg', '-R', repository, ...command],
  revlog: (repository, command) => [process.execPath, revlog, '-R', repository, ...command],
}

const launcher = await openLauncher({ hostLock: null })
const environment = childEnvironment({ path: process.env.PATH, home: scratch, paddingBytes: 0 })
const seconds = async (argv) => {
  const result = await launcher.run({
    invocation: { argv, workingDirectory: scratch, environment, expectedExitCodes: [0] },
    stdout: '/dev/null',
    stderr: join(scratch, 'stderr'),
    timeoutSeconds: 120,
  })
  if (result.outcome !== 'good') throw new Error(`${argv.join(' ')}: ${result.explanation}`)
  return result.usage.wallSeconds
}

const milliseconds = (value) => (value * 1000).toFixed(1)
const rows = []
for (const repository of repositories) {
  for (const command of commands) {
    const times = { hg: [], revlog: [] }
    const both = Object.keys(engines)
    for (const name of both) await seconds(engines[name](repository, command))
    await interleave(both, rounds, async (name) => {
      times[name].push(await seconds(engines[name](repository, command)))
    })
    const ratio = median(times.revlog.map((time, at) => time / times.hg[at]))
    rows.push([
      repository.split('/').at(-1),
      command.join(' '),
      milliseconds(median(times.hg)),
      milliseconds(median(times.revlog)),
      ratio.toFixed(2),
    ])
  }
}
await launcher.close()
rmSync(scratch, { recursive: true })
printTable(
  ['repository', 'command', 'hg ms', 'revlog ms', `ratio (median of ${rounds} pairs)`],
  rows,
)
