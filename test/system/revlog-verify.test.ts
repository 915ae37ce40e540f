/** A check of a store beside hg's own: the same words about whole and about damaged copies. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@assay/model'
import {
  createRepository,
  type FileChange,
  openRepository,
  RevlogError,
  verifyRepository,
} from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSame, hg, revlog } from '../support/revlog-against-hg.ts'

let scratch = ''
let whole = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-verify-'))
  whole = join(scratch, 'whole')
  writeHistory(whole)
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A store with damage done to it; files by their names in it. */
interface Store {
  read(name: string): Buffer
  write(name: string, bytes: Uint8Array): void
  remove(name: string): void
  /** Changes one byte. */
  flip(name: string, at: number): void
  /** Overwrites a 32-bit field of an entry. */
  setField(name: string, rev: number, field: { readonly at: number; readonly value: number }): void
}

/** Byte positions in an index entry. */
const BASE = 16
const LINK = 20
const P1 = 24
const TEXT_BYTES = 12
const NODE = 32
const CHUNK = 64

const damages: Readonly<Record<string, (store: Store) => void>> = {
  'a byte of a data file': (store) => store.flip('data/big.d', 1000),
  'a byte of the last chunk': (store) =>
    store.flip('data/big.d', store.read('data/big.d').length - 40),
  'a chunk of no known compression': (store) =>
    store.flip('data/a.i', entryAt(store, 'data/a.i', 0) + CHUNK),
  'a data file that is cut short': (store) => cut(store, 'data/big.d', 100),
  'a data file that is too long': (store) =>
    store.write('data/big.d', Buffer.concat([store.read('data/big.d'), Buffer.from('xxxx')])),
  'no data file': (store) => store.remove('data/big.d'),
  'an index that is cut inside an entry': (store) => cut(store, 'data/big.i', 10),
  'an index that lacks its last entry': (store) => cut(store, 'data/big.i', 64),
  'an empty index': (store) => store.write('data/a.i', new Uint8Array(0)),
  'no index, of which another file is a copy': (store) => store.remove('data/a.i'),
  'an index of another version': (store) => store.write('data/a.i', Buffer.from([0, 3, 0, 7])),
  'a link to a changeset that is not there': (store) =>
    store.setField('data/side.i', 0, { at: LINK, value: 99 }),
  'a link to another changeset': (store) =>
    store.setField('00manifest.i', 2, { at: LINK, value: 4 }),
  'links of the changelog itself': (store) =>
    store.setField('00changelog.i', 2, { at: LINK, value: -1 }),
  'a node of a file': (store) => store.flip('data/a.i', entryAt(store, 'data/a.i', 2) + NODE),
  'a node of the changelog': (store) =>
    store.flip('00changelog.i', entryAt(store, '00changelog.i', 2) + NODE),
  'a node of the manifest': (store) =>
    store.flip('00manifest.i', entryAt(store, '00manifest.i', 2) + NODE),
  'another parent': (store) => store.setField('data/a.i', 3, { at: P1, value: 0 }),
  'a parent that is not there': (store) => store.setField('data/a.i', 3, { at: P1, value: 77 }),
  'its own parent': (store) => store.setField('data/a.i', 2, { at: P1, value: 2 }),
  'another text length': (store) => store.setField('data/a.i', 0, { at: TEXT_BYTES, value: 77 }),
  'a delta against a later revision': (store) =>
    store.setField('data/a.i', 2, { at: BASE, value: 4 }),
  'a byte of the first manifest': (store) => store.flip('00manifest.i', CHUNK + 30),
  'a byte of a changeset': (store) =>
    store.flip('00changelog.i', entryAt(store, '00changelog.i', 3) + CHUNK + 20),
  'no manifest': (store) => store.remove('00manifest.i'),
  'no changelog': (store) => store.remove('00changelog.i'),
  'a changelog that lacks its last changeset': (store) =>
    store.write(
      '00changelog.i',
      store.read('00changelog.i').subarray(0, entryAt(store, '00changelog.i', 6)),
    ),
  'an fncache that lacks a name': (store) =>
    store.write('fncache', Buffer.from(store.read('fncache').toString().replace('data/a.i\n', ''))),
  'a file that nothing names': (store) => {
    store.write('data/more.i', store.read('data/side.i'))
    store.write('fncache', Buffer.concat([store.read('fncache'), Buffer.from('data/more.i\n')]))
  },
  'an fncache that cannot be read': (store) =>
    store.write('fncache', Buffer.from('data/a.i\n\nfoo\n')),
  'an index of the changelog that cannot be read': (store) => cut(store, '00changelog.i', 5),
}

describe('what hg says about damage is said', () => {
  test.each(Object.keys(damages))('%s', (title) => {
    const copy = join(scratch, title)
    cpSync(whole, copy, { recursive: true })
    damages[title]?.(storeAt(copy))
    const theirs = hg(copy, ['verify'])
    const problems = theirs.stderr.toString('latin1')
    expect(theirs.stdout.toString('latin1') + problems).not.toBe(WHOLE)
    expect(verify(copy)).toEqual({
      status: theirs.status,
      said: theirs.stdout.toString('latin1'),
      problems: sameLibrary(problems),
    })
  })
})

const WHOLE = `checking changesets
checking manifests
crosschecking files in changesets and manifests
checking files
checked 7 changesets with 15 changes to 5 files
`

test('a whole store is found whole, by either way to read manifests, as hg finds it', () => {
  expect(hg(whole, ['verify']).stdout.toString()).toBe(WHOLE)
  expectSame(whole, ['verify'])
  expectSame(whole, ['verify', '--full'])
})

test('--full finds in a delta of a manifest what is passed over without it, as with hg', () => {
  const copy = join(scratch, 'full')
  cpSync(whole, copy, { recursive: true })
  const store = storeAt(copy)
  const index = store.read('00manifest.i')
  // The flag of a line, which no node depends on but the manifest's own.
  const at = index.lastIndexOf('x\n')
  expect(at).toBeGreaterThan(entryAt(store, '00manifest.i', 5))
  index[at] = 'l'.charCodeAt(0)
  store.write('00manifest.i', index)
  for (const args of [['verify'], ['verify', '--full']]) {
    const [theirs, ours] = [hg(copy, args), revlog(copy, args)]
    expect([ours.status, ours.stdout.toString(), ours.stderr.toString()]).toEqual([
      theirs.status,
      theirs.stdout.toString(),
      theirs.stderr.toString(),
    ])
    expect(ours.status).toBe(args.length - 1)
  }
})

test('a store that another process changes is waited for, and one left behind is told of', () => {
  const copy = join(scratch, 'journal')
  cpSync(whole, copy, { recursive: true })
  storeAt(copy).write('journal', new Uint8Array(0))
  const [theirs, ours] = [hg(copy, ['verify']), revlog(copy, ['verify'])]
  expect(ours.stderr.toString()).toBe(theirs.stderr.toString())
  storeAt(copy).write('lock', Buffer.from('elsewhere:1'))
  const args = ['verify', '--config', 'ui.timeout=0']
  expect(revlog(copy, args)).toMatchObject({ status: 255 })
})

test('hg finds nothing wrong with a nodemap that was made here, and one of its own is used', () => {
  const root = join(scratch, 'nodemap')
  const writer = createRepository(root, { persistentNodemap: true, compression: 'none' })
  for (let rev = 0; rev < 60; rev++) {
    const description = `${rev} `.padEnd(3000, 'x')
    writer.commit({ ...AT_THE_TIP, p1: rev - 1, time: rev, description })
  }
  writer.close()
  const slow = ['--config', 'storage.revlog.persistent-nodemap.slow-path=allow']
  const check = (): string => hg(root, ['debugnodemap', '--check', ...slow]).stdout.toString()
  expect(check()).toBe('revision in index:   60\nrevision in nodemap: 60\n')
  expect(hg(root, ['verify', '-q', ...slow])).toMatchObject({ status: 0 })
  const commit = ['commit', '--addremove', '-q', '-m', 'more', '-d', '0 0', ...slow]
  expect(hg(root, ['update', '-q', ...slow]).status).toBe(0)
  writeFileSync(join(root, 'file'), 'content')
  expect(hg(root, commit).status).toBe(0)
  const node = hg(root, ['log', '-r', '60', '-T', '{node}', ...slow]).stdout.toString()
  const { stdout, stderr } = revlog(root, [
    'log',
    '-r',
    node.slice(0, 10),
    '-T',
    '{rev}',
    '--debug',
  ])
  expect(stdout.toString()).toBe('60')
  expect(stderr.toString()).toMatch(/"kind":"access","file":"[^"]*-[0-9a-f]{8}\.nd"/)
})

/** What the changesets of a history without files have in common. */
const AT_THE_TIP = { p2: -1, user: 'u', timezoneSeconds: 0, files: [] }

/** Seven changesets: a file in the index, one beside it, a copy, a merge, an executable file. */
function writeHistory(root: string): void {
  const random = seededRandom('verify')
  const writer = createRepository(root)
  const noise = (): Buffer => Buffer.from(Array.from({ length: 60_000 }, () => random() * 256))
  const write = (path: string, content: string | Buffer): FileChange => ({
    kind: 'write',
    path,
    content: Buffer.from(content),
  })
  const commit = (parents: readonly [number, number], files: readonly FileChange[]): void => {
    writer.commit({
      p1: parents[0],
      p2: parents[1],
      user: 'u',
      time: writer.length,
      timezoneSeconds: 0,
      description: `changeset ${writer.length}, with some words to be compressed, words, words`,
      files,
    })
  }
  for (let n = 0; n < 4; n++) {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i * Math.min(i, n)}\n`).join('')
    commit([n - 1, -1], [write('a', lines), write('big', noise()), write('dir/c', `${n}\n`)])
  }
  commit(
    [3, -1],
    [{ kind: 'write', path: 'copied', content: Buffer.from('copied\n'), copiedFrom: 'a' }],
  )
  commit([1, -1], [{ kind: 'write', path: 'side', content: Buffer.from('#!side\n'), flag: 'x' }])
  commit([4, 5], [{ kind: 'take-second', path: 'side' }, write('a', 'merged\n')])
  writer.close()
}

function storeAt(root: string): Store {
  const pathOf = (name: string): string => join(root, '.hg', 'store', name)
  const store: Store = {
    read: (name) => readFileSync(pathOf(name)),
    write: (name, bytes) => writeFileSync(pathOf(name), bytes),
    remove: (name) => rmSync(pathOf(name)),
    flip(name, at) {
      const bytes = store.read(name)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
      store.write(name, bytes)
    },
    setField(name, rev, { at, value }) {
      const bytes = store.read(name)
      bytes.writeInt32BE(value, entryAt(store, name, rev) + at)
      store.write(name, bytes)
    },
  }
  return store
}

/** Where a revision's entry is, in an index with or without the data. */
function entryAt(store: Store, name: string, rev: number): number {
  const bytes = store.read(name)
  const inline = (bytes.readUInt32BE(0) & (1 << 16)) !== 0
  let at = 0
  for (let before = 0; before < rev; before++) at += 64 + (inline ? bytes.readInt32BE(at + 8) : 0)
  return at
}

function cut(store: Store, name: string, bytes: number): void {
  store.write(name, store.read(name).subarray(0, -bytes))
}

/** Each library has its own words for what it cannot decompress. */
function sameLibrary(problems: string): string {
  return problems.replace(/(revlog decompress error: ).*/g, '$1...')
}

/** The check in this process, as the command prints it. */
function verify(root: string) {
  const said: string[] = []
  const problems: string[] = []
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
  const repository = openRepository(root, { mode: 'no-mmap' })
  let status: number | undefined
  try {
    const { errors } = verifyRepository(repository, {
      status: (line) => said.push(line),
      problem: (line) => problems.push(line),
    })
    status = errors === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof RevlogError)) throw error
    problems.push(`abort: ${error.message}`)
    status = 255
  } finally {
    repository.close()
  }
  return { status, said: text(said), problems: sameLibrary(text(problems)) }
}
