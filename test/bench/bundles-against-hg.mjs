/**
 * Bundles from anywhere, each into an empty repository, by hg and by the revlog program: what they say
 * and what comes out must be the same.
 *
 *   node test/bench/bundles-against-hg.mjs FILE...
 *
 * Mercurial's own tests bring a collection: `apt-get source mercurial`, then tests/bundles/*.hg*. Of
 * these `tampered.hg` is refused by the program alone: its paths lead out of the repository, which hg
 * (6.3) notices only when it writes a working directory.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

const program = createRequire(import.meta.url).resolve('@assay/revlog/cli')
const env = { PATH: process.env.PATH, HGRCPATH: '', HGPLAIN: '1', LC_ALL: 'C', TZ: 'UTC' }
const programs = [['hg'], [process.execPath, program]]
const scratch = mkdtempSync(join(tmpdir(), 'bundles-'))
const repository = join(scratch, 'repository')

const run = ([command, ...first], args) => {
  const options = { cwd: scratch, env, encoding: 'latin1', maxBuffer: 1 << 28 }
  const { stdout, stderr, status } = spawnSync(command, [...first, ...args], options)
  return { stdout, stderr, status }
}

/** What a program says of a bundle, and what hg then sees. */
const outcome = (command, file) => {
  rmSync(repository, { recursive: true, force: true })
  run(['hg'], ['init', repository])
  const fields = '{rev} {node} {p1node} {p2node} {phase} {bookmarks}\n'
  const log = ['log', '--hidden', '-r', 'all()', '-T', fields]
  const said = run(command, ['-R', repository, 'unbundle', file])
  const [history, verified] = [log, ['verify']].map((args) =>
    run(['hg'], ['-R', repository, ...args]),
  )
  return { said, history, verified }
}

let others = 0
for (const file of process.argv.slice(2).map((one) => resolve(one))) {
  const [theirs, ours] = programs.map((command) => outcome(command, file))
  const escapes = ours.said.stderr.includes('path contains illegal component')
  const same = JSON.stringify(theirs) === JSON.stringify(ours)
  if (!same && !escapes) others += 1
  const count = theirs.history.stdout.split('\n').length - 1
  const verdict = same ? 'same' : escapes ? 'refused by the program alone' : 'DIFFERENT'
  console.log(`${basename(file).padEnd(28)} ${`${count}`.padStart(4)} changesets   ${verdict}`)
  if (!same) console.log(`  hg     ${JSON.stringify(theirs)}\n  revlog ${JSON.stringify(ours)}`)
}
rmSync(scratch, { recursive: true })
process.exitCode = others === 0 ? 0 : 1
