import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  applyBundle,
  bytesInput,
  createRepository,
  findOutgoing,
  headRevs,
  openBundle,
  openRepository,
  RevlogError,
  updateStore,
  writeBundle,
  writeBundle2,
} from '@assay/revlog'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let scratch = ''
let target = ''
let bundle = Buffer.alloc(0)

const access = { mode: 'no-mmap' } as const

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-apply-'))
  const source = join(scratch, 'source')
  target = join(scratch, 'target')
  for (const [path, count] of [
    [source, 5],
    [target, 2],
  ] as const) {
    writeHistory(path, count)
  }
  const repository = openRepository(source, access)
  const { index } = repository.changelog
  const outgoing = findOutgoing(index, { bases: [1], heads: headRevs(index) })
  bundle = Buffer.concat([...writeBundle({ repository, outgoing, type: 'none-v2', phases: true })])
  repository.close()
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function writeHistory(path: string, count: number): void {
  const writer = createRepository(path, { compression: 'zlib' })
  for (let n = 0; n < count; n++) {
    const lines = Array.from({ length: 40 }, (_, i) => `${i * n}\n`).join('')
    writer.commit({
      p1: n - 1,
      p2: -1,
      user: 'u',
      time: n,
      timezoneSeconds: 0,
      description: `c${n}`,
      phase: n < 2 ? 'public' : 'draft',
      files: [
        { kind: 'write', path: 'a', content: Buffer.from(lines) },
        { kind: 'write', path: `dir/f${n}`, content: Buffer.from(`${n}`) },
      ],
    })
  }
  writer.close()
}

/** Applies a bundle to a copy of the target. */
function unbundle(bytes: Uint8Array): { copy: string; error: unknown } {
  const copy = join(scratch, 'copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(target, copy, { recursive: true })
  try {
    updateStore({ root: copy, access, description: 'unbundle' }, (update) =>
      applyBundle(update, openBundle(bytesInput(bytes))),
    )
    return { copy, error: undefined }
  } catch (error) {
    return { copy, error }
  }
}

function storeOf(root: string): Record<string, string> {
  const store = join(root, '.hg', 'store')
  return Object.fromEntries(
    readdirSync(store, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(store.length), readFileSync(path, 'latin1')]),
  )
}

/** Reads every text of a repository, each of which is checked against its node. */
function readAll(root: string): number {
  const repository = openRepository(root, access)
  let texts = 0
  try {
    for (let rev = 0; rev < repository.changelog.length; rev++) {
      const { manifestHex, files } = repository.changeset(rev)
      const manifestRev = repository.manifest.findRev(Buffer.from(manifestHex, 'hex'))
      if (manifestRev !== undefined) repository.manifest.rawText(manifestRev)
      texts += 2 + files.length
    }
    return texts
  } finally {
    repository.close()
  }
}

describe('a bundle that is applied', () => {
  test('makes the store that writing the changesets makes', () => {
    const { copy, error } = unbundle(bundle)
    expect(error).toBeUndefined()
    const [made, wanted] = [storeOf(copy), storeOf(join(scratch, 'source'))]
    for (const name of Object.keys(made)) if (name.startsWith('/undo')) delete made[name]
    expect(made).toEqual(wanted)
  })

  test('with a byte changed anywhere is refused and leaves no trace, or is still sound', () => {
    const before = storeOf(target)
    let refused = 0
    fc.assert(
      fc.property(fc.nat(bundle.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const mutant = Buffer.from(bundle)
        mutant[at] = (mutant[at] ?? 0) ^ change
        const { copy, error } = unbundle(mutant)
        if (error === undefined) {
          expect(readAll(copy)).toBeGreaterThan(0)
          return
        }
        expect(error).toBeInstanceOf(RevlogError)
        expect(storeOf(copy)).toEqual(before)
        refused += 1
      }),
      { numRuns: 300 },
    )
    expect(refused).toBeGreaterThan(200)
  })

  test('cut short anywhere is refused and leaves no trace', () => {
    const before = storeOf(target)
    fc.assert(
      fc.property(fc.nat(bundle.length - 1), (length) => {
        const { copy, error } = unbundle(bundle.subarray(0, length))
        expect(error).toBeInstanceOf(RevlogError)
        expect(storeOf(copy)).toEqual(before)
      }),
      { numRuns: 100 },
    )
  })

  test.each(['../x', 'a/../../x', '/x', '.hg/x', 'a/.HG/x', 'a//b', 'a\0b', 'a\nb', './a'])(
    'with the path %j is refused',
    (path) => {
      const error = unbundle(changegroupOf([filesGroup(path)])).error
      expect(error).toMatchObject({
        code: 'corrupt',
        message: expect.stringContaining('path contains illegal component'),
      })
    },
  )

  test('with a file of which it has nothing is refused in the words of Mercurial', () => {
    const { error } = unbundle(changegroupOf([filesGroup('a')]))
    expect(error).toMatchObject({ message: 'received file revlog group is empty' })
  })

  test('with an unknown mandatory part is refused after what was before it is undone', () => {
    const before = storeOf(target)
    const { copy, error } = unbundle(changegroupOf([], [{ name: 'MYSTERY', payload: [] }]))
    expect(error).toMatchObject({ code: 'unknown-part' })
    expect(storeOf(copy)).toEqual(before)
    expect(unbundle(changegroupOf([], [{ name: 'mystery', payload: [] }])).error).toBeUndefined()
  })
})

const END = Buffer.alloc(4)

/** A group of no revisions of a file. */
function filesGroup(path: string): Uint8Array {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(4 + path.length)
  return Buffer.concat([head, Buffer.from(path), END])
}

/** A bundle with an otherwise empty changegroup, and further parts. */
function changegroupOf(
  groups: readonly Uint8Array[],
  more: readonly { name: string; payload: Uint8Array[] }[] = [],
): Uint8Array {
  const changegroup = {
    name: 'CHANGEGROUP',
    mandatoryParameters: new Map([['version', '02']]),
    payload: [END, END, ...groups, END],
  }
  return Buffer.concat([...writeBundle2([changegroup, ...more], 'none')])
}
