/**
 * Push and pull of the embedded engine against Debian's `hg`, wall-clock ratio, interleaved in random
 * order. Both ends are the same program; ssh is a script that runs its last argument.
 *
 *   node test/bench/exchange-against-hg.mjs [--rounds N] [--revs 1,100] [REPOSITORY]
 *
 * Without a repository: a generated mercurial-like one of 12,000 changesets. Fresh copies are made
 * outside what is timed. Run it after `npm run build`.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDataset } from '@assay/bench'
import { childEnvironment, openLauncher } from '@assay/measure'
import { interleave, median, printTable } from './table.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '21' },
    revs: { type: 'string', default: '1,100' },
  },
})
const rounds = Number(values.rounds)
const revlog = createRequire(import.meta.url).resolve('@assay/revlog/cli')
const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const program = (name, text) => {
  const path = join(scratch, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}
const ssh = program('ssh', 'for last; do :; done\nexec sh -c "$last"')
const engine = program('engine', `exec ${process.execPath} ${revlog} "$@"`)
const engines = {
  hg: { argv: ['/usr/bin/hg'], remote: '/usr/bin/hg' },
  revlog: { argv: [process.execPath, revlog], remote: engine },
}

const hg = (...args) =>
  execFileSync('hg', args, { env: { PATH: process.env.PATH, HGRCPATH: '', HGPLAIN: '1' } })
const whole = positionals[0] === undefined ? join(scratch, 'whole') : resolve(positionals[0])
if (positionals[0] === undefined) {
  const format = ['zstd', 'sparse-revlog']
  const dataset = { preset: 'mercurial-like', scale: 0.3, format, seed: '1', directory: whole }
  await generateDataset(dataset)
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
const tip = Number(`${hg('-R', whole, 'log', '-r', 'tip', '-T', '{rev}')}`)
const rows = []
for (const count of values.revs.split(',').map(Number)) {
  const part = join(scratch, `without-${count}`)
  execFileSync(process.execPath, [revlog, 'clone', '-U', '-r', `0:${tip - count}`, whole, part])
  hg('-R', part, 'debugupdatecaches')
  for (const verb of ['push', 'pull']) {
    for (const way of ['local', 'ssh']) {
      const times = { hg: [], revlog: [] }
      const once = async (name) => {
        const copy = join(scratch, 'copy')
        rmSync(copy, { recursive: true, force: true })
        cpSync(part, copy, { recursive: true })
        const [from, other] = verb === 'push' ? [whole, copy] : [copy, whole]
        const { argv, remote } = engines[name]
        const args = ['-R', from, verb, '-q', '-f']
        if (way === 'ssh') args.push('--ssh', ssh, '--remotecmd', remote, `ssh://host/${other}`)
        else args.push(other)
        times[name].push(await seconds([...argv, ...args]))
      }
      await interleave(Object.keys(engines), 1, once)
      times.hg.length = 0
      times.revlog.length = 0
      await interleave(Object.keys(engines), rounds, once)
      const ratio = median(times.revlog.map((time, at) => time / times.hg[at]))
      rows.push([
        `${verb} ${way}`,
        count,
        milliseconds(median(times.hg)),
        milliseconds(median(times.revlog)),
        ratio.toFixed(2),
      ])
    }
  }
}
await launcher.close()
rmSync(scratch, { recursive: true })
printTable(['exchange', 'revs', 'hg ms', 'revlog ms', `ratio (median of ${rounds} pairs)`], rows)
