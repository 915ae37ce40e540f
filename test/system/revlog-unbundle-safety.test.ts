/** What interrupts unbundle, and who may write at the same time. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hg, hgEnvironment, program, revlog } from '../support/revlog-against-hg.ts'
import { leftBehind, storeContents, unbundleAndDie } from '../support/unbundle-against-hg.ts'

let scratch = ''
let base = ''
let bundle = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-safety-'))
  const source = join(scratch, 'source')
  base = join(scratch, 'base')
  bundle = join(scratch, 'bundle')
  mkdirSync(source)
  // noise.i outgrows its index, known grows inside it, new comes; phases, fncache and all change.
  const script = `set -e
    hg init -q; head -c 129000 /dev/urandom > noise; echo 1 > known; hg commit -Aqm 0 -d '0 0'
    hg phase -qp 0; head -c 9000 /dev/urandom >> noise; echo 2 >> known; mkdir dir; echo 3 > dir/new
    hg commit -Aqm 1 -d '1 0'; hg clone -qU --pull -r 0 . ../base; hg bundle -q --base 0 ../bundle`
  execFileSync('bash', ['-c', script], { cwd: source, env: hgEnvironment() })
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function freshCopy(): string {
  const copy = join(scratch, 'copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(base, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

describe('a process that dies', () => {
  let calls = 0
  let before: ReadonlyMap<string, string> = new Map()
  let after: ReadonlyMap<string, string> = new Map()

  beforeAll(() => {
    const copy = freshCopy()
    before = storeContents(copy)
    const counted = unbundleAndDie(copy, bundle, 'count')
    calls = Number(counted.stderr)
    after = storeContents(copy)
    expect(calls).toBeGreaterThan(30)
    expect(after).not.toEqual(before)
  })

  // Twenty moments at random, each run others; the seed is in their titles.
  const seed = randomInt(2 ** 32)
  const moments = Array.from({ length: 20 }, (_, at) => {
    const digest = createHash('sha1').update(`${seed} ${at}`).digest()
    return [digest.readUInt32BE() / 2 ** 32, at % 2 === 0 ? hg : revlog] as const
  })

  test.each(moments)(
    `after %f of its changes (${seed}) leaves a store that recover makes whole: all or nothing`,
    (part, recover) => {
      const dieAt = 1 + Math.floor(calls * part)
      const copy = freshCopy()
      expect(unbundleAndDie(copy, bundle, dieAt).signal).toBe('SIGKILL')
      const interrupted = existsSync(join(copy, '.hg/store/journal'))
      const { stderr, status } = recover(copy, ['recover'])
      expect([stderr.toString(), status]).toEqual(
        interrupted
          ? ['(verify step skipped, run `hg verify` to check your repository content)\n', 0]
          : ['no interrupted transaction available\n', 1],
      )
      const contents = storeContents(copy)
      expect([before, after]).toContainEqual(contents)
      expect(hg(copy, ['verify', '-q']).stderr.toString()).toBe('')
      expect(revlog(copy, ['unbundle', '-q', bundle]).stderr.toString()).toBe('')
      expect(storeContents(copy)).toEqual(after)
      expect(leftBehind(copy)).toEqual([])
    },
  )

  test('is in the way of the next one until recover, in the words of hg', () => {
    const said = [hg, revlog].map((run) => {
      const copy = freshCopy()
      unbundleAndDie(copy, bundle, Math.floor(calls / 2))
      const { stdout, stderr, status } = run(copy, ['unbundle', bundle])
      return [stdout.toString(), stderr.toString(), status]
    })
    expect(said[1]).toEqual(said[0])
    expect(said[1]).toEqual(['', expect.stringContaining('abandoned transaction found'), 255])
  })
})

describe('what hg left when it was killed', () => {
  test('recover undoes', () => {
    const copy = freshCopy()
    const before = storeContents(copy)
    const kill = 'kill -9 $(readlink .hg/store/lock | cut -d: -f2)'
    const hook = ['--config', `hooks.pretxnchangegroup.kill=${kill}`]
    expect(hg(copy, ['unbundle', ...hook, bundle]).signal).toBe('SIGKILL')
    expect(existsSync(join(copy, '.hg/store/journal'))).toBe(true)
    const { stdout, status } = revlog(copy, ['recover'])
    expect([stdout.toString(), status]).toEqual(['rolling back interrupted transaction\n', 0])
    const contents = new Map(storeContents(copy))
    // hg keeps the data file of a revlog that it had split, and its new index.
    for (const name of ['data/noise.i', 'data/noise.d']) contents.delete(name)
    const others = [...before].filter(([name]) => name !== 'data/noise.i')
    expect(contents).toEqual(new Map([...others, ...pendingIndex(contents)]))
    const { status: verified, stderr } = hg(copy, ['verify'])
    expect([verified, stderr.toString()]).toEqual([0, expect.stringContaining('not in fncache')])
  })
})

/** hg does not remove the changelog entries that it showed to its hooks. */
function pendingIndex(contents: ReadonlyMap<string, string>): [string, string][] {
  const pending = contents.get('00changelog.i.a')
  return pending === undefined ? [] : [['00changelog.i.a', pending]]
}

describe('locks', () => {
  const timeout = (seconds: number) => ['--config', `ui.timeout=${seconds}`]

  test.each([
    ['.hg/store/lock', 'repository'],
    ['.hg/wlock', 'working directory of'],
  ])('%s of a living process is waited for and then respected', (lock, what) => {
    const copy = freshCopy()
    const holder = hostLock(copy)
    symlinkSync(`${holder}:${process.pid}`, join(copy, lock))
    const { stderr, status } = revlog(copy, ['unbundle', ...timeout(1), bundle])
    expect([stderr.toString(), status]).toEqual([
      `waiting for lock on ${what} ${copy} held by process '${process.pid}' on host '${holder}'\n` +
        `abort: ${what} ${copy}: timed out waiting for lock held by '${holder}:${process.pid}'\n`,
      255,
    ])
    if (lock === '.hg/store/lock') {
      const theirs = hg(copy, ['unbundle', ...timeout(1), bundle])
      expect(stderr.toString()).toBe(theirs.stderr.toString())
    }
  })

  test('a lock of a dead process is broken, one of another host is not', () => {
    const copy = freshCopy()
    const dead = spawnSync('true').pid
    symlinkSync(`${hostLock(copy)}:${dead}`, join(copy, '.hg/store/lock'))
    symlinkSync('elsewhere:1', join(copy, '.hg/wlock'))
    const refused = revlog(copy, ['unbundle', ...timeout(0), bundle])
    expect(refused.stderr.toString()).toContain("timed out waiting for lock held by 'elsewhere:1'")
    rmSync(join(copy, '.hg/wlock'))
    expect(revlog(copy, ['unbundle', '-q', ...timeout(0), bundle]).stderr.toString()).toBe('')
    expect(leftBehind(copy)).toEqual([])
  })

  test('while hg unbundles the program waits, then finds everything there', async () => {
    const copy = freshCopy()
    const hook = ['--config', 'hooks.pretxnchangegroup.slow=touch ../held; sleep 1.5']
    const env = hgEnvironment()
    const theirs = spawn('hg', ['unbundle', '-q', ...hook, bundle], { cwd: copy, env })
    while (!existsSync(join(scratch, 'held'))) await new Promise((done) => setTimeout(done, 20))
    const { stdout, stderr } = revlog(copy, ['unbundle', bundle])
    expect(stderr.toString()).toMatch(/^waiting for lock on repository .* held by process '\d+'/)
    expect(stdout.toString()).toContain('added 0 changesets with 0 changes to 3 files\n')
    expect(theirs.exitCode ?? (await new Promise((done) => theirs.on('exit', done)))).toBe(0)
  })

  test('while the program unbundles hg waits, then finds everything there', async () => {
    const copy = freshCopy()
    // A bundle through a pipe that nobody has filled yet keeps the program inside its transaction.
    const pipe = join(scratch, 'pipe')
    execFileSync('mkfifo', [pipe])
    const ours = spawn(process.execPath, [program, 'unbundle', '-q', pipe], { cwd: copy })
    while (lstatSync(join(copy, '.hg/store/lock'), { throwIfNoEntry: false }) === undefined) {
      await new Promise((done) => setTimeout(done, 20))
    }
    const theirs = hg(copy, ['unbundle', ...timeout(1), bundle])
    expect(theirs.stderr.toString()).toContain('timed out waiting for lock held by')
    execFileSync('cp', [bundle, pipe])
    expect(ours.exitCode ?? (await new Promise((done) => ours.on('exit', done)))).toBe(0)
    const { stdout } = hg(copy, ['unbundle', bundle])
    expect(stdout.toString()).toContain('added 0 changesets with 0 changes to 3 files\n')
  })
})

/** The host as hg names it in its locks. */
function hostLock(repository: string): string {
  const show = 'readlink .hg/store/lock | cut -d: -f1'
  const hook = ['--config', `hooks.pretxnopen.show=${show}; false`]
  return hg(repository, ['unbundle', ...hook, bundle])
    .stdout.toString()
    .trim()
}

const mayMount = process.getuid?.() === 0 && process.platform === 'linux'

describe.skipIf(!mayMount)('a file system that refuses', () => {
  let mounted = ''

  beforeAll(() => {
    mounted = join(scratch, 'mounted')
    mkdirSync(mounted)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted])
  })

  afterAll(() => {
    execFileSync('umount', [mounted])
  })

  test('a full disk: said, and everything is as before', () => {
    const copy = join(mounted, 'repository')
    cpSync(base, copy, { recursive: true, verbatimSymlinks: true })
    const before = storeContents(copy)
    // Of the pages that are left the journal takes some; the data file has no room.
    const room = Number(
      execFileSync('df', ['--output=avail', '-k', mounted]).toString().split('\n')[1],
    )
    writeFileSync(join(mounted, 'filler'), new Uint8Array((room - 64) * 1024))
    const { stderr, status } = revlog(copy, ['unbundle', '-q', bundle])
    expect([stderr.toString(), status]).toEqual([
      expect.stringMatching(/^transaction abort!\nrollback completed\nabort: .*(ENOSPC|no space)/),
      255,
    ])
    expect(storeContents(copy)).toEqual(before)
    expect(leftBehind(copy)).toEqual([])
    rmSync(join(mounted, 'filler'))
    expect(revlog(copy, ['unbundle', '-q', bundle]).stderr.toString()).toBe('')
    expect(hg(copy, ['verify', '-q']).stderr.toString()).toBe('')
  })

  test('read-only: said in the words of hg', () => {
    const copy = join(mounted, 'repository')
    execFileSync('mount', ['-o', 'remount,ro', mounted])
    try {
      const [ours, theirs] = [revlog, hg].map((run) => run(copy, ['unbundle', bundle]))
      expect(ours?.status).toBe(theirs?.status)
      expect(ours?.stderr.toString()).toContain('abort: could not lock working directory of ')
      expect(ours?.stderr.toString()).toContain(': Read-only file system\n')
      expect(theirs?.stderr.toString()).toContain(': Read-only file system\n')
    } finally {
      execFileSync('mount', ['-o', 'remount,rw', mounted])
    }
  })
})
