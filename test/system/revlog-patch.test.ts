/**
 * `log --patch` against hg: on histories with every odd change there is, the same bytes; and, since
 * other histories may give hunks that are cut elsewhere, each patch is applied to the parent's files.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findInManifest, openRepository, parseFileText, type Repository } from '@assay/revlog'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyUnified } from '../support/apply-unified.ts'
import { expectSame, hg, revlog } from '../support/revlog-against-hg.ts'

const scripts = fileURLToPath(new URL('../fixtures/repos', import.meta.url))

let scratch = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-patch-'))
  for (const name of ['patches', 'history']) {
    execFileSync('sh', [join(scripts, `make-${name}.sh`), join(scratch, name)], { stdio: 'ignore' })
  }
}, 60_000)

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test.each([
  ['patches', ['log', '-p']],
  ['patches', ['log', '-p', '--git']],
  ['patches', ['log', '-p', '-l', '3', '-T', '{rev} {desc}|']],
  ['patches', ['log', '-g', '-r', '20:25']],
  ['patches', ['log', '-p', '-r', '30', '-r', '3:1', '-T', '{node}\\n']],
  ['history', ['log', '-p']],
  ['history', ['log', '-p', '--git']],
])('in the history %s, %j prints what hg prints', (name, args) => {
  expectSame(join(scratch, name), args)
})

test('patches of edits at random apply to the parent, and together are hardly longer than those of hg', () => {
  const root = join(scratch, 'random')
  hg(scratch, ['init', root])
  let lines = Array.from({ length: 400 }, (_, i) => `${i % 23}`)
  const random = pseudoRandom(7)
  for (let i = 0; i < 12; i++) {
    for (let edits = 0; edits < 6; edits++) {
      const at = random(lines.length)
      const block = lines.slice(random(lines.length)).slice(0, random(30))
      lines = lines.toSpliced(at, random(12), ...block)
    }
    writeFileSync(join(root, 'file'), lines.join('\n'))
    hg(root, ['commit', '-A', '-q', '-m', `${i}`])
  }
  const args = ['log', '-p', '-T', '~{rev}\\n']
  const ours = revlog(root, args).stdout.toString('latin1')
  expect(ours.length).toBeLessThan(1.02 * hg(root, args).stdout.length)
  const repository = openRepository(root, { mode: 'no-mmap' })
  const patches = ours.split('~').slice(1)
  expect(patches.length).toBe(12)
  for (const patch of patches) {
    const [head = '', ...body] = patch.split(/^(?=@@)/m)
    const rev = Number(/^\d+/.exec(head)?.[0])
    const hunks = body.join('').replace(/\n\n$/, '\n')
    expect(applyUnified(fileAt(repository, rev - 1), hunks)).toBe(fileAt(repository, rev))
  }
  repository.close()
}, 30_000)

function fileAt(repository: Repository, rev: number): string {
  const entry = findInManifest(repository.manifestText(rev), 'file')
  if (entry === undefined) return ''
  const filelog = repository.filelog('file')
  const text = filelog.rawText(filelog.findRev(Buffer.from(entry.nodeHex, 'hex')) ?? -1)
  filelog.close()
  return Buffer.from(parseFileText(text).content).toString('latin1')
}

/** Numbers below a limit from a linear congruential generator (Numerical Recipes' constants). */
function pseudoRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
