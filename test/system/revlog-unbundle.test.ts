/** Bundles of hg and of the revlog program, unbundled by both into copies of one repository. */
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBundle2 } from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { branchyHistory, hg, hgEnvironment, revlog } from '../support/revlog-against-hg.ts'
import { expectSameUnbundle, seenByHg } from '../support/unbundle-against-hg.ts'

let scratch = ''
let source = ''

const PHASES = ['--config', 'experimental.bundle-phases=yes']

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-unbundle-'))
  source = join(scratch, 'source')
  mkdirSync(source)
  // Merges, copies, branches, closed heads, tags, odd names, a file that outgrows its index, 500 files.
  const script = `${branchyHistory}
    hg update -q 2; mkdir A_b.i; echo 1 > A_b.i/Foo.i; echo w > w; chmod +x w; ln -s w link
    head -c 125000 /dev/urandom > noise; hg commit -Aqm head -d '8 0'; hg tag -qd '9 0' first
    for n in 1 2 3; do head -c 9000 /dev/urandom >> noise; hg commit -qm noise$n -d "1$n 0"; done
    hg phase -qp 2; hg phase -fs tip; hg bookmark -r 3 here; hg clone -qU . ../wide; cd ../wide
    hg update -q null; mkdir many; for n in $(seq 500); do echo $n > many/$n; done
    hg commit -Aqm many -d '21 0'; hg bundle -qt none-v2 --base 'not tip' -r tip ../many`
  execFileSync('bash', ['-c', script], { cwd: source, env: hgEnvironment() })
  const bundles: [string, string[]][] = [
    ['all', ['-a', '-t', 'zstd-v2', ...PHASES]],
    ['old', ['-a', '-t', 'gzip-v1']],
    ['from4', ['--base', '4', '-t', 'none-v2', ...PHASES]],
    ['from8', ['--base', '8', '-t', 'none-v2']],
    ['side', ['--base', '1', '-r', '6', '-t', 'none-v2']],
    ['merge', ['--base', '4', '--base', '6', '-r', '7', '-t', 'none-v2']],
    ['public', ['--base', '1', '-r', '2', '-t', 'none-v2', ...PHASES]],
  ]
  for (const [name, args] of bundles) {
    const { stderr } = hg(source, ['bundle', '-q', ...args, join(scratch, name)])
    expect(stderr.toString()).toBe('')
  }
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A repository with the ancestors of some revisions, in a format. */
function repositoryWith(name: string, revs: readonly string[], format: readonly string[] = []) {
  const path = join(scratch, name)
  const heads = revs.flatMap((rev) => ['-r', rev])
  const command =
    revs.length === 0 ? ['init', path] : ['clone', '-qU', '--pull', ...heads, source, path]
  expect(hg(scratch, [...command, ...format]).stderr.toString()).toBe('')
  return path
}

const FORMATS: [string, string[]][] = [
  ['zstd', []],
  ['zlib', ['--config', 'format.revlog-compression=zlib']],
  ['none', ['--config', 'format.revlog-compression=none']],
  ['plain', ['--config', 'format.usegeneraldelta=no', '--config', 'format.sparse-revlog=no']],
]

describe('unbundle says and does what hg does', () => {
  test.each(FORMATS)('everything into an empty repository: %s', (name, format) => {
    expectSameUnbundle(repositoryWith(`empty-${name}`, [], format), ['../all'])
  })

  test('the rest into a part', () => {
    expectSameUnbundle(repositoryWith('part', ['4']), ['../from4'])
  })

  test('a changeset with 500 files', () => {
    expectSameUnbundle(repositoryWith('part-1', ['1']), ['../many'])
  })

  test('an inline revlog that outgrows its index gets a data file, which rollback takes back', () => {
    const path = repositoryWith('part-8', ['8'])
    const noise = (name: string) => statSync(join(path, '.hg/store/data', name))
    const before = readFileSync(join(path, '.hg/store/data/noise.i'))
    expect(revlog(path, ['unbundle', '-q', '../from8']).stderr.toString()).toBe('')
    expect(noise('noise.d').size).toBeGreaterThan(131_072)
    expect(hg(path, ['verify', '-q']).stderr.toString()).toBe('')
    const back = hg(path, ['--config', 'ui.rollback=1', 'rollback'])
    expect(back.stdout.toString()).toContain('(undo unbundle)')
    expect(readFileSync(join(path, '.hg/store/data/noise.i')).equals(before)).toBe(true)
    expect(hg(path, ['verify']).stderr.toString()).toBe('')
    expect(() => noise('noise.d')).toThrow('ENOENT')
  })

  test('heads, branches and files at once: what is advised', () => {
    const on1 = repositoryWith('on-1', ['1'])
    expectSameUnbundle(on1, ['../side', '../all', '../all'])
    const on4 = repositoryWith('on-4', ['4'])
    expectSameUnbundle(on4, ['../side', '../merge'])
    expectSameUnbundle(on4, ['../side'], (copy) => hg(copy, ['branch', '-q', 'side']))
    expectSameUnbundle(repositoryWith('on-4-6', ['4', '6']), ['-q', '../merge'])
  })

  test('phases: what is known becomes as public as the bundle says', () => {
    expectSameUnbundle(join(scratch, 'on-4'), ['../public'])
    expectSameUnbundle(join(scratch, 'on-1'), ['../all'], (copy) => {
      hg(copy, ['phase', '-fsr', 'all()'])
    })
  })

  test('version 1, and what is known already', () => {
    expectSameUnbundle(join(scratch, 'empty-zstd'), ['../old'])
    expectSameUnbundle(join(scratch, 'on-4'), ['../old'])
  })

  test('a parent that is not there, a bundle cut short, no bundle, no file', () => {
    const empty = join(scratch, 'empty-zstd')
    expectSameUnbundle(empty, ['../from4'])
    expectSameUnbundle(empty, ['../nothing'])
    writeFileSync(join(scratch, 'garbage'), 'garbage')
    expectSameUnbundle(empty, ['../garbage'])
    writeFileSync(join(scratch, 'short'), readFileSync(join(scratch, 'from4')).subarray(0, 700))
    const { stderr, status } = revlog(join(scratch, 'on-4'), ['unbundle', '../short'])
    expect([status, stderr.toString()]).toEqual([
      255,
      expect.stringMatching(
        /^transaction abort!\nrollback completed\nabort: .*short: ends at byte/,
      ),
    ])
  })

  test('a part with bookmarks sets and removes them', () => {
    const entry = (node: string, name: string): Buffer =>
      Buffer.concat([Buffer.from(node, 'hex'), Buffer.from([0, name.length]), Buffer.from(name)])
    const node = hg(source, ['log', '-r', '2', '-T', '{node}']).stdout.toString()
    const payload = [entry(node, 'zebra'), entry('f'.repeat(40), 'here'), entry(node, 'ape')]
    const pieces = [...writeBundle2([{ name: 'BOOKMARKS', payload }], 'none')]
    writeFileSync(join(scratch, 'marks'), Buffer.concat(pieces))
    expectSameUnbundle(join(scratch, 'on-4'), ['../marks'], (copy) => {
      hg(copy, ['bookmark', '-r', '1', 'here'])
    })
  })
})

test('a working directory of the second dirstate format is left alone, with what changed in it', () => {
  const path = repositoryWith('ds2', ['4'], ['--config', 'format.use-dirstate-v2=yes'])
  hg(path, ['update', '-q', '3'])
  writeFileSync(join(path, 'a'), 'changed')
  hg(path, ['status'])
  const state = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(join(path, '.hg'))
        .filter((name) => name.startsWith('dirstate'))
        .map((name) => [name, readFileSync(join(path, '.hg', name), 'latin1')]),
    )
  const before = state()
  expect(before['dirstate']?.slice(0, 12)).toBe('dirstate-v2\n')
  expect(revlog(path, ['unbundle', '-q', '../from4']).stderr.toString()).toBe('')
  expect(state()).toEqual(before)
  const seen = [['status'], ['parents', '-T', '{rev}']].map((args) => `${hg(path, args).stdout}`)
  expect(seen).toEqual(['M a\n', '3'])
})

describe('between the programs', () => {
  test.each(['none-v2', 'gzip-v2', 'zstd-v2'])(
    'a bundle made here gives the same by hg and here: %s',
    (type) => {
      const file = join(scratch, `own-${type}`)
      expect(revlog(source, ['bundle', '-aqt', type, file]).status).toBe(0)
      expectSameUnbundle(join(scratch, 'empty-zlib'), [file])
    },
  )

  test('a clone that shares files by links does not see what is added', () => {
    const path = repositoryWith('linked', ['4'])
    const twin = `${path}-twin`
    expect(hg(scratch, ['clone', '-qU', path, twin]).stderr.toString()).toBe('')
    const before = seenByHg(twin)
    expect(statSync(join(path, '.hg/store/data/a.i')).nlink).toBe(2)
    expect(revlog(path, ['unbundle', '-q', '../from4']).status).toBe(0)
    expect(seenByHg(twin)).toEqual(before)
    expect(hg(path, ['verify', '-q']).stderr.toString()).toBe('')
  })

  test('deltas keep the bases that they came with, if asked', () => {
    const config = ['--config', 'storage.revlog.reuse-external-delta-parent=yes']
    expectSameUnbundle(join(scratch, 'part'), [...config, '../from4'])
  })
})
