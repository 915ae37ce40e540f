/**
 * Provides the programs that the tests need beside Node: the real `hg` is the oracle of the revlog
 * engine, a real `redis-server`, which tests start for themselves, carries the queue, and datasets are
 * converted by `git` and unpacked by `zstd`. Installs them from Debian when it may (as root or with sudo that asks for no password),
 * saying so; otherwise stops with the line to type. Also builds what the system tests start.
 */
import { execFileSync, spawnSync } from 'node:child_process'

/** Program to Debian package. */
const wanted = { hg: 'mercurial', 'redis-server': 'redis-server', git: 'git', zstd: 'zstd' }

const isThere = (program) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0

const missing = Object.entries(wanted).filter(([program]) => !isThere(program))
const packages = missing.map(([, name]) => name).join(' ')

const mayInstall = () => {
  if (!isThere('apt-get')) return null
  if (process.getuid?.() === 0) return []
  const sudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
  return sudo ? ['sudo', '-n'] : null
}

if (missing.length > 0) {
  const prefix = mayInstall()
  if (prefix === null) {
    process.stderr.write(
      `The tests need ${missing.map(([program]) => program).join(' and ')}. Type:\n\n  sudo apt-get install ${packages}\n\n`,
    )
    process.exit(2)
  }
  process.stdout.write(`The tests need ${packages}: installing from Debian.\n`)
  const run = (...argv) => {
    const [program, ...rest] = [...prefix, ...argv]
    execFileSync(program, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  run('apt-get', 'update', '-qq')
  run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages.split(' '))
}

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
