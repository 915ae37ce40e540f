import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  hasJournal,
  openTransaction,
  parseBackups,
  parseGrowths,
  playBack,
  serializeBackup,
  serializeGrowth,
} from '@assay/revlog'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root = ''

const repository = {
  get root() {
    return root
  },
  storePath: (path: string) => join(root, '.hg', 'store', path),
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'revlog-transaction-'))
  mkdirSync(join(root, '.hg', 'store', 'data'), { recursive: true })
  writeFileSync(repository.storePath('grows'), 'old')
  writeFileSync(repository.storePath('data/replaced'), 'before')
  writeFileSync(join(root, '.hg', 'bookmarks'), 'marks')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const files = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(root, '.hg'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(join(root, '.hg').length + 1), readFileSync(path, 'utf8')]),
  )

const open = () => openTransaction({ repository, description: 'test', changesets: 7 })

/** Grows, makes and replaces files; leaves the transaction open. */
function change() {
  const transaction = open()
  transaction.add('grows', 3)
  appendFileSync(repository.storePath('grows'), ' and new')
  transaction.add('data/made', 0)
  writeFileSync(repository.storePath('data/made'), 'made')
  transaction.replace({ location: 'store', path: 'data/replaced' }, Buffer.from('after'))
  transaction.replace({ location: 'plain', path: 'bookmarks' }, Buffer.from('other'))
  transaction.replace({ location: 'store', path: 'fncache' }, Buffer.from('list'))
  return transaction
}

describe('a transaction', () => {
  test('that is rolled back leaves everything as it was', () => {
    const before = files()
    change().rollback()
    expect(files()).toEqual(before)
  })

  test('that nobody ended is undone by its journal, however often that is interrupted', () => {
    const before = files()
    change()
    expect(hasJournal(repository)).toBe(true)
    expect(open).toThrow(expect.objectContaining({ code: 'abandoned-transaction' }))
    // As if the first attempt had died after the files and before the journal.
    const journal = readFileSync(repository.storePath('journal'))
    const backups = readdirSync(repository.storePath('data')).filter((name) =>
      /^journal/.test(name),
    )
    expect(backups).toEqual(['journal.backup.replaced'])
    writeFileSync(repository.storePath('grows'), 'old')
    rmSync(repository.storePath('data/made'))
    expect(readFileSync(repository.storePath('journal'))).toEqual(journal)
    playBack(repository)
    expect(files()).toEqual(before)
    expect(hasJournal(repository)).toBe(false)
  })

  test('that is committed leaves the changes, and what hg rollback needs', () => {
    change().commit()
    expect(files()).toEqual({
      bookmarks: 'other',
      'store/grows': 'old and new',
      'store/data/made': 'made',
      'store/data/replaced': 'after',
      'store/fncache': 'list',
      'undo.backup.bookmarks': 'marks',
      'store/data/undo.backup.replaced': 'before',
      'store/undo': 'grows\x003\ndata/made\x000\n',
      'store/undo.backupfiles':
        '2\n\0data/replaced\0data/undo.backup.replaced\x000\n' +
        'plain\0bookmarks\0undo.backup.bookmarks\x000\n\0fncache\0\x000\n',
      'store/undo.phaseroots': '',
      'undo.bookmarks': 'marks',
      'undo.branch': 'default',
      'undo.desc': '7\ntest\n',
    })
    // The next one's leftovers take the place of these.
    const next = open()
    next.add('grows', 11)
    next.commit()
    expect(Object.keys(files()).filter((name) => name.includes('backup.'))).toEqual([])
  })

  test('keeps the first of several states, and knows what a file was before', () => {
    const transaction = open()
    transaction.replace({ location: 'store', path: 'data/replaced' }, Buffer.from('1'))
    transaction.replace({ location: 'store', path: 'data/replaced' }, Buffer.from('2'))
    transaction.add('grows', 3)
    transaction.add('grows', 99)
    expect([transaction.lengthBefore('grows'), transaction.lengthBefore('x')]).toEqual([
      3,
      undefined,
    ])
    transaction.rollback()
    expect(files()).toMatchObject({ 'store/data/replaced': 'before', 'store/grows': 'old' })
    expect(() => transaction.commit()).toThrow(expect.objectContaining({ code: 'closed' }))
  })

  test('whose file has shrunk is not undone by lengthening it', () => {
    change()
    writeFileSync(repository.storePath('grows'), '')
    expect(() => playBack(repository)).toThrow(
      'attempted to truncate grows to 3 bytes, but it was already 0 bytes',
    )
    expect(hasJournal(repository)).toBe(true)
    expect(files()).toMatchObject({ 'store/data/replaced': 'before' })
  })
})

describe('the journal', () => {
  const path = fc
    .array(fc.stringMatching(/^[^\0\n/]{1,8}$/), { minLength: 1, maxLength: 3 })
    .map((segments) => Buffer.from(segments.join('/')).toString('latin1'))
    .filter((one) => !one.split('/').includes('..'))

  test('is read back as it was written; a line that was cut off is none', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(path, fc.nat())), fc.nat(30), (growths, cut) => {
        const bytes = Buffer.concat(growths.map(([name, length]) => serializeGrowth(name, length)))
        expect(parseGrowths(bytes)).toEqual(new Map(growths))
        const kept = bytes.subarray(0, Math.max(0, bytes.length - cut))
        const whole = kept.toString('latin1').split('\n').length - 1
        expect(parseGrowths(kept)).toEqual(new Map(growths.slice(0, whole)))
      }),
    )
    fc.assert(
      fc.property(
        fc.record({
          location: fc.constantFrom('store' as const, 'plain' as const),
          path,
          backup: fc.oneof(path, fc.constant('')),
          cache: fc.boolean(),
        }),
        (entry) => {
          const bytes = Buffer.concat([Buffer.from('2\n'), serializeBackup(entry)])
          expect(parseBackups(bytes)).toEqual([entry])
        },
      ),
    )
  })

  test.each(['../x\x005\n', '/etc/x\x000\n', 'a\n', 'a\0-1\n', 'a\x001\x002\n', '\x001\n'])(
    'that names what is not in the store, or nothing, is refused: %j',
    (line) => {
      expect(() => parseGrowths(Buffer.from(line))).toThrow(
        expect.objectContaining({ code: 'corrupt' }),
      )
    },
  )

  test.each([
    ['1\n', 'unsupported'],
    ['2\nelsewhere\0a\0b\x000\n', 'corrupt'],
    ['2\n\0a/../../b\0\x000\n', 'corrupt'],
    ['2\n\0a\0/b\x000\n', 'corrupt'],
  ])('with backups of another form is refused: %j', (text, code) => {
    expect(() => parseBackups(Buffer.from(text))).toThrow(expect.objectContaining({ code }))
  })
})
