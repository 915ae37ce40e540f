/** Copies of repositories, whole, in part and in other formats, looked at by hg. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRepository, prepareExtra } from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { branchyHistory, hg, hgEnvironment, revlog } from '../support/revlog-against-hg.ts'
import { storeContents } from '../support/unbundle-against-hg.ts'

/** Without Rust hg is slow at these two, and says so by refusing. */
const slow = ['--config', 'storage.revlog.persistent-nodemap.slow-path=allow']

let scratch = ''
let source = ''
let unordered = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-clone-'))
  source = join(scratch, 'source')
  mkdirSync(source)
  const script = `${branchyHistory}
    hg phase -qp 3; hg phase -qsf 7; hg bookmark -r 4 here; hg bookmark -r 6 there
    cd ..; hg init -q other; cd other
    c() { hg commit -Aqm "$1" -d "$1 0"; }
    seq 400 > f; c 0; seq 90 > f; c 1; hg update -q 0; echo w > f; c 2
    hg update -q 0; seq 90 > f; echo 3 > g; c 3; echo 4 >> g; c 4; echo 5 >> f; c 5
    cd ..; hg clone -qU --pull -r 2 -r 5 other unordered; hg -R unordered phase -qdf 'all()'`
  execFileSync('bash', ['-c', script], { cwd: source, env: hgEnvironment() })
  unordered = join(scratch, 'unordered')
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const clone = (...args: readonly string[]) => {
  const { stderr, status } = revlog(scratch, ['clone', '-U', ...args])
  return { stderr: stderr.toString(), status }
}

const log = (repository: string, revs = 'all()'): string =>
  hg(repository, [
    ...['log', '--hidden', '-r', revs, ...slow],
    ...['-T', '{node} {p1node} {p2node} {branch} {phase} {bookmarks} {files} {file_copies}\n'],
  ]).stdout.toString()

/** Verified, and each changeset's files as they are in the original. */
const expectCopy = (copy: string, original: string, revs: string): void => {
  expect(hg(copy, ['verify', '-q', ...slow]).stderr.toString()).toBe('')
  expect(log(copy).split('\n').sort()).toEqual(log(original, revs).split('\n').sort())
  const tip = hg(copy, ['log', '-r', 'tip', '-T', '{node}', ...slow]).stdout.toString()
  const files = (repository: string): string =>
    hg(repository, ['manifest', '--debug', '-r', tip, ...slow]).stdout.toString()
  expect(files(copy)).toBe(files(original))
}

test.each([['6'], ['4', '5']])('clone -r %s has that and its ancestors', (...revs) => {
  const target = join(scratch, `r-${revs.join('-')}`)
  const args = revs.flatMap((rev) => ['-r', rev])
  expect(clone(...args, source, target)).toEqual({ stderr: '', status: 0 })
  expectCopy(target, source, `::(${revs.join('+')})`)
})

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['none', ['revlog-compression=none'], ['exp-compression-none']],
  ['no-generaldelta', ['usegeneraldelta=no'], ['revlog-compression-zstd']],
  [
    'ds2-pnm',
    ['use-persistent-nodemap=yes', 'use-dirstate-v2=yes'],
    [
      ...['dirstate-v2', 'generaldelta', 'persistent-nodemap'],
      ...['revlog-compression-zstd', 'sparserevlog'],
    ],
  ],
])(
  'in the format %s it has the same changesets, phases and bookmarks',
  (name, settings, wanted) => {
    const target = join(scratch, `as-${name}`)
    const config = settings.flatMap((one) => ['--config', `format.${one}`])
    expect(clone(...config, source, target)).toEqual({ stderr: '', status: 0 })
    expectCopy(target, source, 'all()')
    const requires = ['requires', 'store/requires'].flatMap((file) =>
      readFileSync(join(target, '.hg', file), 'utf8').split('\n'),
    )
    const usual = ['dotencode', 'fncache', 'revlogv1', 'share-safe', 'store', '']
    const others = requires.filter((one) => !usual.includes(one)).sort()
    const kept = name === 'none' ? ['generaldelta', 'sparserevlog'] : []
    expect(others).toEqual([...wanted, ...kept].sort())
  },
)

describe('a file whose revisions do not lie in the order of their changesets', () => {
  const links = (): readonly string[] =>
    hg(unordered, ['debugindex', 'f', '-T', '{linkrev}\n']).stdout.toString().trim().split('\n')

  test.each([
    [2, hg],
    [3, revlog],
  ])('without %i changesets, and the bundle with them: the whole', (extra, unbundle) => {
    expect(links()).toEqual(['0', '2', '1', '4'])
    const repositoryPath = join(scratch, `less-${extra}`)
    const bundlePath = join(scratch, `extra-${extra}.hg`)
    const opened = openRepository(unordered, { mode: 'no-mmap' })
    prepareExtra({ source: opened, extra, repositoryPath, bundlePath })
    opened.close()
    expectCopy(repositoryPath, unordered, `0:${4 - extra}`)
    expect(unbundle(repositoryPath, ['unbundle', '-q', bundlePath]).stderr.toString()).toBe('')
    expectCopy(repositoryPath, unordered, 'all()')
  })
})

test('a censored file is copied with its store, and not written anew', () => {
  const script = `hg init -q censored; cd censored
    for n in 0 1 2; do seq $n 99 > f; hg commit -Aqm $n -d "$n 0"; done
    hg --config extensions.censor= censor -r 1 f`
  execFileSync('bash', ['-c', script], { cwd: scratch, env: hgEnvironment() })
  const [from, to] = [join(scratch, 'censored'), join(scratch, 'censored-copy')]
  expect(clone(from, to)).toEqual({ stderr: '', status: 0 })
  const [copy, original] = [storeContents(to), storeContents(from)]
  expect(copy.get('data/f.i')).toBe(original.get('data/f.i'))
  expect(clone('--pull', from, `${to}-anew`)).toEqual({
    stderr: 'abort: f: revision 1 has flags, which changegroup 02 cannot carry\n',
    status: 2,
  })
})

test('a clone that fails leaves nothing behind', () => {
  const damaged = join(scratch, 'damaged')
  cpSync(source, damaged, { recursive: true })
  rmSync(join(damaged, '.hg', 'store', 'data', 'a.i'))
  const target = join(scratch, 'from-damaged')
  const { stderr, status } = clone('--pull', damaged, target)
  expect([stderr, status]).toEqual([expect.stringContaining('abort: a: no such file'), 255])
  expect(storeContents(target).size).toBe(0)
})
