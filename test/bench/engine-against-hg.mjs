/**
 * The embedded engine against Debian's `hg`: ratios of wall time and of processor time, interleaved
 * in random order. What writes has a fresh copy for each sample, outside the timed part.
 *
 *   node test/bench/engine-against-hg.mjs [--rounds N] [--only WORD] [REPOSITORY ...]
 *
 * Without repositories: a generated mercurial-like one and a changelog of 1,000,000 revisions, made
 * in a temporary folder. Give a real history to compare on it too. Only commands with a word in them
 * are run if one is given. Run it after `npm run build`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDataset } from '@assay/bench'
import { childEnvironment, openLauncher } from '@assay/measure'
import { openRepository, prepareExtra } from '@assay/revlog'
import { interleave, median, printTable } from './table.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '31' }, only: { type: 'string', default: '' } },
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
        await generated('netbeans-like', 'netbeans-like', 0.12),
        await generated('million', 'changelog-only', 1),
      ]

const reading = (...command) => ({ command })
const writing = (extra) => ({ command: ['unbundle', '-q', 'BUNDLE'], extra })
const commands = [
  reading('log', '-r', 'tip'),
  reading('log', '-l', '10'),
  reading('log', '-l', '1000'),
  reading('log', '-p', '-l', '10'),
  writing(1),
  writing(100),
].filter(({ command }) => command.join(' ').includes(values.only))
const engines = {
  hg: (repository, command) => ['/usr/bin/hg', '-R', repository, ...command],
  revlog: (repository, command) => [process.execPath, revlog, '-R', repository, ...command],
}

const launcher = await openLauncher({ hostLock: null })
const environment = childEnvironment({ path: process.env.PATH, home: scratch, paddingBytes: 0 })
const usageOf = async (argv) => {
  const result = await launcher.run({
    invocation: { argv, workingDirectory: scratch, environment, expectedExitCodes: [0] },
    stdout: '/dev/null',
    stderr: join(scratch, 'stderr'),
    timeoutSeconds: 120,
  })
  if (result.outcome !== 'good') throw new Error(`${argv.join(' ')}: ${result.explanation}`)
  return result.usage
}

/** What a command works on: the repository itself, or, made once, one that lacks revisions. */
const inputsOf = (repository, { command, extra }) => {
  if (extra === undefined) return { command, renew: async () => repository }
  const folder = mkdtempSync(join(scratch, 'extra-'))
  const [less, bundlePath] = [join(folder, 'repository'), join(folder, 'extra.hg')]
  const source = openRepository(repository, { mode: 'no-mmap' })
  prepareExtra({ source, extra, repositoryPath: less, bundlePath })
  source.close()
  // Both have the caches of a repository that is in use.
  execFileSync('/usr/bin/hg', ['-R', less, 'debugupdatecache'], { stdio: 'ignore' })
  const copy = join(folder, 'copy')
  return {
    command: command.map((word) => (word === 'BUNDLE' ? bundlePath : word)),
    async renew() {
      rmSync(copy, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true })
      execFileSync('cp', ['-a', less, copy])
      execFileSync('sync', ['-f', copy])
      return copy
    },
  }
}

const milliseconds = (value) => (value * 1000).toFixed(1)
const processorSeconds = ({ userSeconds, systemSeconds }) => userSeconds + systemSeconds
const wallSeconds = (usage) => usage.wallSeconds
const ratioOf = ({ hg, revlog }, of) =>
  median(revlog.map((usage, at) => of(usage) / of(hg[at]))).toFixed(2)
const rows = []
for (const repository of repositories) {
  for (const one of commands) {
    if (one.extra !== undefined && repository.endsWith('/million')) continue
    const { command, renew } = inputsOf(repository, one)
    const usages = { hg: [], revlog: [] }
    const both = Object.keys(engines)
    for (const name of both) await usageOf(engines[name](await renew(), command))
    await interleave(both, rounds, async (name) => {
      usages[name].push(await usageOf(engines[name](await renew(), command)))
    })
    rows.push([
      repository.split('/').at(-1),
      `${one.command.join(' ')}${one.extra === undefined ? '' : ` of ${one.extra}`}`,
      milliseconds(median(usages.hg.map(wallSeconds))),
      milliseconds(median(usages.revlog.map(wallSeconds))),
      ratioOf(usages, wallSeconds),
      ratioOf(usages, processorSeconds),
    ])
  }
}
await launcher.close()
rmSync(scratch, { recursive: true })
printTable(
  ['repository', 'command', 'hg ms', 'revlog ms', `wall ratio (median of ${rounds})`, 'cpu ratio'],
  rows,
)
