import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createRepository,
  type FileChange,
  findInManifest,
  openRepository,
  parseFncache,
  parseManifest,
  type RepositoryFormat,
  type RepositoryWriter,
} from '@assay/revlog'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-create-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const write = (
  path: string,
  content: string,
  more: { flag?: 'x' | 'l'; copiedFrom?: string } = {},
): FileChange => ({
  kind: 'write',
  path,
  content: Buffer.from(content),
  ...more,
})

const commit = (
  repository: RepositoryWriter,
  parents: readonly [number, number],
  files: readonly FileChange[],
  phase: 'public' | 'draft' = 'public',
): number =>
  repository.commit({
    p1: parents[0],
    p2: parents[1],
    user: 'somebody',
    time: repository.length,
    timezoneSeconds: 0,
    description: `changeset ${repository.length}`,
    files,
    phase,
  }).rev

const reopen = () => openRepository(root, { mode: 'no-mmap' })

/** Paths with flags, as `path flag`. */
const listing = (rev: number): readonly string[] => {
  const repository = reopen()
  const { manifestHex } = repository.changeset(rev)
  const manifestRev = repository.manifest.findRev(Buffer.from(manifestHex, 'hex')) ?? -2
  const entries = parseManifest(repository.manifest.rawText(manifestRev))
  repository.close()
  return entries.map(({ path, flag }) => `${path} ${flag}`.trim())
}

const fileParentsOf = (rev: number, path: string): readonly number[] => {
  const repository = reopen()
  const { manifestHex } = repository.changeset(rev)
  const manifestRev = repository.manifest.findRev(Buffer.from(manifestHex, 'hex')) ?? -2
  const nodeHex = findInManifest(repository.manifest.rawText(manifestRev), path)?.nodeHex ?? ''
  const filelog = repository.filelog(path)
  const { p1, p2 } = filelog.entry(filelog.findRev(Buffer.from(nodeHex, 'hex')) ?? -2)
  filelog.close()
  repository.close()
  return [p1, p2]
}

describe('createRepository', () => {
  it('writes, changes, copies and removes files', () => {
    const repository = createRepository(root)
    commit(
      repository,
      [-1, -1],
      [write('b', 'b\n'), write('a', 'a\n', { flag: 'x' }), write('l', 'a', { flag: 'l' })],
    )
    commit(
      repository,
      [0, -1],
      [write('c', 'b\n', { copiedFrom: 'b' }), { kind: 'remove', path: 'b' }],
    )
    commit(repository, [1, -1], [write('a', 'a\n'), write('c', 'b\n')])
    repository.close()
    expect(listing(0)).toEqual(['a x', 'b', 'l l'])
    expect(listing(1)).toEqual(['a x', 'c', 'l l'])
    expect(listing(2)).toEqual(['a', 'c', 'l l'])
    const reader = reopen()
    expect(reader.changeset(1).files).toEqual(['b', 'c'])
    // Only the flag of one file changed, and nothing of the other.
    expect(reader.changeset(2).files).toEqual(['a'])
    const copied = Buffer.from(reader.filelog('c').rawText(0)).toString('latin1')
    expect(copied.replaceAll('\x01', '!')).toMatch(/^!\ncopy: b\ncopyrev: [0-9a-f]{40}\n!\nb\n$/)
    reader.close()
  })

  it('a merge gives a file that both sides changed two parents, and others none of their own', () => {
    const repository = createRepository(root)
    const base = commit(repository, [-1, -1], [write('both', '1\n'), write('one', '1\n')])
    const left = commit(repository, [base, -1], [write('both', '2\n')])
    const right = commit(
      repository,
      [base, -1],
      [write('both', '3\n'), write('one', '2\n'), write('new', 'n\n')],
    )
    const files: readonly FileChange[] = [
      write('both', '2\n3\n'),
      { kind: 'take-second', path: 'one' },
      { kind: 'take-second', path: 'new' },
    ]
    const merge = commit(repository, [left, right], files)
    // Only one side of this merge changed the file: one parent.
    const later = commit(repository, [base, merge], [write('both', '4\n')])
    repository.close()
    expect(fileParentsOf(merge, 'both')).toEqual([1, 2])
    expect(fileParentsOf(later, 'both')).toEqual([3, -1])
    const reader = reopen()
    expect(reader.changeset(merge).files).toEqual(['both'])
    expect(reader.manifest.length).toBe(5)
    reader.close()
    expect(listing(merge)).toEqual(['both', 'new', 'one'])
  })

  it('the fncache lists each file of the store once, data files after they exist', () => {
    const repository = createRepository(root, { compression: 'none' })
    commit(repository, [-1, -1], [write('small', 's\n'), write('large', 'x'.repeat(200_000))])
    repository.flush()
    commit(repository, [0, -1], [write('small', 'y'.repeat(200_000))])
    repository.close()
    const lines = parseFncache(readFileSync(join(root, '.hg/store/fncache')))
    expect([...lines].sort()).toEqual([
      'data/large.d',
      'data/large.i',
      'data/small.d',
      'data/small.i',
    ])
    expect(existsSync(join(root, '.hg/store/data/small.d'))).toBe(true)
  })

  it('only the roots of drafts are noted, and nothing public goes on top of one', () => {
    const repository = createRepository(root)
    commit(repository, [-1, -1], [])
    commit(repository, [0, -1], [], 'draft')
    commit(repository, [1, -1], [], 'draft')
    expect(() => commit(repository, [2, -1], [])).toThrow(
      expect.objectContaining({ code: 'usage' }),
    )
    repository.close()
    expect(readFileSync(join(root, '.hg/store/phaseroots'), 'latin1')).toMatch(/^1 [0-9a-f]{40}\n$/)
  })

  it('a changeset without files keeps the manifest of its parent', () => {
    const repository = createRepository(root)
    commit(repository, [-1, -1], [])
    commit(repository, [0, -1], [write('a', 'a')])
    commit(repository, [1, -1], [])
    repository.close()
    const reader = reopen()
    expect(reader.changeset(0).manifestHex).toBe('0'.repeat(40))
    expect(reader.changeset(2).manifestHex).toBe(reader.changeset(1).manifestHex)
    reader.close()
  })

  it('what is not there cannot be removed, copied or be a parent', () => {
    const repository = createRepository(root)
    const code = (value: string) => expect.objectContaining({ code: value })
    expect(() => commit(repository, [-1, -1], [{ kind: 'remove', path: 'a' }])).toThrow(
      code('unknown-file'),
    )
    expect(() => commit(repository, [-1, -1], [write('b', 'b', { copiedFrom: 'a' })])).toThrow(
      code('unknown-file'),
    )
    expect(() => commit(repository, [0, -1], [])).toThrow(code('unknown-revision'))
    repository.close()
    expect(() => commit(repository, [-1, -1], [])).toThrow(code('closed'))
  })

  it('a changeset that is refused leaves nothing behind', () => {
    const repository = createRepository(root)
    const good = {
      p1: -1,
      p2: -1,
      user: 'somebody',
      time: 0,
      timezoneSeconds: 0,
      description: 'd',
      files: [write('left-over', '1')],
    }
    const remove: FileChange = { kind: 'remove', path: 'nothing' }
    for (const bad of [
      { user: '' },
      { time: Number.NaN },
      { timezoneSeconds: 1.5 },
      { description: '€' },
      { extra: new Map([['a:b', '']]) },
      { p2: 7 },
      { files: [...good.files, remove] },
      { files: [...good.files, write('left-over', '2')] },
      ...['', 'a\0b', 'a\nb', 'a\rb', '€'].map((path) => ({
        files: [...good.files, write(path, '')],
      })),
    ]) {
      expect(() => repository.commit({ ...good, ...bad }), JSON.stringify(bad)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(usage|unknown-\w+)$/) }),
      )
    }
    commit(repository, [-1, -1], [write('other', '1')])
    repository.close()
    expect(listing(0)).toEqual(['other'])
    const reader = reopen()
    expect([reader.changelog.length, reader.manifest.length]).toEqual([1, 1])
    expect(reader.hasFilelog('left-over')).toBe(false)
    reader.close()
  })

  it.each<[Partial<RepositoryFormat>, readonly string[], readonly string[]]>([
    [{}, ['share-safe'], ['generaldelta', 'revlog-compression-zstd', 'sparserevlog']],
    [
      { compression: 'zlib', generaldelta: false, sparse: false, dirstateV2: true },
      ['dirstate-v2', 'share-safe'],
      [],
    ],
    [
      { compression: 'none', sparse: false },
      ['share-safe'],
      ['exp-compression-none', 'generaldelta'],
    ],
  ])('requirements say what is needed: %o', (format, outer, inner) => {
    createRepository(root, format).close()
    const lines = (path: string) => readFileSync(join(root, path), 'latin1').trimEnd().split('\n')
    expect(lines('.hg/requires')).toEqual(outer)
    const always = ['dotencode', 'fncache', 'revlogv1', 'store']
    expect(lines('.hg/store/requires')).toEqual([...always, ...inner].sort())
  })

  it('without share-safe all requirements are in one file', () => {
    createRepository(root, { shareSafe: false }).close()
    expect(existsSync(join(root, '.hg/store/requires'))).toBe(false)
    expect(readFileSync(join(root, '.hg/requires'), 'latin1')).toContain('revlogv1\n')
  })

  it('a repository is not made over another', () => {
    createRepository(root).close()
    expect(() => createRepository(root)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})
