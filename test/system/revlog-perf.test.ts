/**
 * Perf commands beside Mercurial's perf extension, where a system package installs it: the same
 * steps in the same form. Numbers are not compared here.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hg, revlog } from '../support/revlog-against-hg.ts'
import { leftBehind, storeContents } from '../support/unbundle-against-hg.ts'

/** Where Debian's mercurial-common puts it. */
const EXTENSION = '/usr/share/doc/mercurial-common/examples/perf.py'

const QUICK = ['--config', 'perf.presleep=0', '--config', 'perf.run-limits=0-1']

describe.skipIf(!existsSync(EXTENSION))('perf commands print what those of hg print', () => {
  const script = fileURLToPath(new URL('../fixtures/repos/make-history.sh', import.meta.url))
  let scratch = ''
  let history = ''
  let part = ''
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'revlog-perf-'))
    history = join(scratch, 'history')
    part = join(scratch, 'part')
    execFileSync('sh', [script, history], { stdio: 'ignore' })
    hg(history, ['clone', '-qU', '--pull', '-r', '3', '.', part])
    hg(history, ['bundle', '-qat', 'none-v2', join(scratch, 'all.hg')])
  }, 60_000)
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  test.each([
    ['perf::revlogchunks', '-c'],
    ['perfrevlogchunks', '-m'],
    ['perf::revlogchunks', 'plain'],
    ['perf::revlogchunks', '-c', '-T', 'json'],
    ['perf::revlogchunks', '-c', '--config', 'perf.all-timing=yes'],
    ['perf::revlogindex', '-c'],
    ['perf::revlogindex', '-m', '-T', 'json', '--config', 'perf.all-timing=yes'],
    ['perf::revlogrevision', '-c', '3'],
    ['perf::revlogrevisions', '-m', '-d', '3'],
    ['perf::nodemap', '--rev', '0', '--rev', '5'],
    ['perf::index', '--rev', 'tip', '--config', 'perf.stub=yes', '-T', 'json'],
  ])('%s %s', (...args) => {
    const theirs = hg(history, ['--config', `extensions.perf=${EXTENSION}`, ...QUICK, ...args])
    const ours = revlog(history, [...QUICK, ...args])
    expect([ours.status, theirs.status]).toEqual([0, 0])
    expect(shapeOf(ours.stderr)).toEqual(shapeOf(theirs.stderr))
    expect([ours.stdout.length, theirs.stdout.length]).toEqual([0, 0])
  })

  test.each([
    ['perf::unbundle', '../all.hg'],
    ['perf::unbundle', '../all.hg', '-T', 'json'],
    ['perf::discovery', '../history', '-q'],
  ])('%s %s leaves the repository as it was', (...args) => {
    const three = ['--config', 'perf.presleep=0', '--config', 'perf.run-limits=0-3']
    const copy = mkdtempSync(`${part}-`)
    cpSync(part, copy, { recursive: true })
    const ours = revlog(copy, [...three, ...args])
    expect(storeContents(copy)).toEqual(storeContents(part))
    expect(leftBehind(copy)).toEqual([])
    const theirs = hg(copy, ['--config', `extensions.perf=${EXTENSION}`, ...three, ...args])
    // Discovery of hg says on standard output that it searches, once a run.
    expect([ours.status, theirs.status, ours.stdout.length]).toEqual([0, 0, 0])
    expect(shapeOf(ours.stderr)).toEqual(shapeOf(theirs.stderr))
  })
})

/** The lines without their times. */
function shapeOf(output: Buffer): string[] {
  return output
    .toString()
    .replaceAll(/\d+\.\d+(?:e-\d+)?|\b\d+e-\d+/g, 'SECONDS')
    .split('\n')
}
