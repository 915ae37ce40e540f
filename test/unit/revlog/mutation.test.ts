/**
 * Whole repositories with damage anywhere in any file: every command ends, says what is wrong by a
 * code, and shows no text that is not the right one.
 */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@assay/model'
import {
  applyBundle,
  bytesInput,
  createRepository,
  findOutgoing,
  hashText,
  headRevs,
  openBundle,
  openRepository,
  type RepositoryFormat,
  RevlogError,
  runCli,
  updateStore,
  writeBundle,
} from '@assay/revlog'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const FORMATS: Readonly<Record<string, Partial<RepositoryFormat>>> = {
  zlib: { compression: 'zlib' },
  'zstd with nodemaps': { compression: 'zstd', persistentNodemap: true },
  'none, without generaldelta': { compression: 'none', generaldelta: false, sparse: false },
}

let scratch = ''
/** Two changesets more than the repositories have. */
let bundle: Uint8Array = new Uint8Array(0)

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-mutation-'))
  for (const [name, format] of Object.entries(FORMATS)) writeHistory(join(scratch, name), format, 8)
  const more = join(scratch, 'more')
  writeHistory(more, {}, 10)
  bundle = bundleFrom(more, 7)
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Thousands were run when this was written; these guard it. */
const RUNS = 40

/** How a file is damaged; positions are taken modulo its length. */
interface Damage {
  readonly file: number
  readonly kind: 'change' | 'set' | 'cut' | 'insert' | 'remove'
  readonly where: number
  readonly bytes: Uint8Array
}

const damage: fc.Arbitrary<Damage> = fc.record({
  file: fc.nat(),
  kind: fc.constantFrom('change', 'change', 'set', 'set', 'cut', 'insert', 'remove'),
  where: fc.nat(),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 6 }),
    fc
      .constantFrom([0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff], [0, 0, 0, 0])
      .map((one) => Uint8Array.from(one)),
  ),
})

const COMMANDS: readonly (readonly string[])[] = [
  ['log', '-T', '{rev} {node} {tags} {bookmarks} {branch} {parents} {files}\\n'],
  ['log', '-p', '-l', '4'],
  ['log', '-r', 'draft() and heads(all())'],
  ['log', '-r', 'a'],
  ['debugindex', '-m'],
  ['verify', '--full'],
]

/** Exit statuses of a command that has done its work, or said why not. */
const ORDERLY = [0, 1, 255]

describe('a repository with one file damaged', () => {
  test.each(Object.keys(FORMATS))('is read or refused, never worse: %s', (name) => {
    const root = copyOf(name, 'read')
    const files = filesOf(root)
    const property = fc.property(damage, (given) => {
      const undo = apply(files, given)
      try {
        for (const args of COMMANDS) {
          const { status, problems } = run(root, args)
          expect(ORDERLY, `${args.join(' ')}: ${problems}`).toContain(status)
        }
        checkTexts(root)
      } finally {
        undo()
      }
    })
    fc.assert(property, { numRuns: RUNS, seed: 5 })
  })

  test.each(Object.keys(FORMATS))('takes a bundle whole or is left as it was: %s', (name) => {
    const root = copyOf(name, 'written')
    const files = filesOf(root)
    const whole = join(scratch, `${name} whole`)
    cpSync(root, whole, { recursive: true })
    const property = fc.property(damage, (given) => {
      apply(files, given)
      const before = contentsOf(root)
      const code = unbundle(root)
      if (code !== undefined) expect([code, contentsOf(root)]).toEqual([code, before])
      rmSync(root, { recursive: true })
      cpSync(whole, root, { recursive: true })
    })
    fc.assert(property, { numRuns: RUNS / 2, seed: 6 })
  })
})

/** Inline and split revlogs, a merge, a copy, tags, bookmarks, phases. */
function writeHistory(root: string, format: Partial<RepositoryFormat>, count: number): void {
  const random = seededRandom('mutation')
  const writer = createRepository(root, format)
  const noise = Buffer.from(Array.from({ length: 80_000 }, () => random() * 256))
  const write = (path: string, content: string | Buffer) => ({
    kind: 'write' as const,
    path,
    content: Buffer.from(content),
  })
  const lines = (n: number): string =>
    Array.from({ length: 40 }, (_, i) => `line ${i} ${i % 7 === n ? n : ''}\n`).join('')
  let tagged = ''
  for (let n = 0; n < count; n++) {
    const { node } = writer.commit({
      p1: n === 4 ? 1 : n - 1,
      p2: n === 6 ? 3 : -1,
      user: 'u',
      time: n,
      timezoneSeconds: 0,
      description: `changeset ${n} `.padEnd(n < 3 ? 50_000 : 80, 'word '),
      phase: n < 6 ? 'public' : 'draft',
      extra: n === 4 ? new Map([['branch', 'side']]) : new Map(),
      files: [
        write('a', lines(n)),
        write(`dir/f${n}`, `${n}\n`),
        ...(n < 2 ? [write('big', Buffer.concat([noise, Buffer.from(`${n}`)]))] : []),
        ...(n === 3 ? [{ ...write('copied', lines(2)), copiedFrom: 'a' }] : []),
        ...(n === 5 ? [write('.hgtags', `${tagged} v1\n`)] : []),
      ],
    })
    tagged = Buffer.from(node).toString('hex')
  }
  writer.close()
  writeFileSync(join(root, '.hg/bookmarks'), `${tagged} mark\n`)
}

function bundleFrom(root: string, base: number): Buffer {
  const repository = openRepository(root, { mode: 'no-mmap' })
  try {
    const { index } = repository.changelog
    const outgoing = findOutgoing(index, { bases: [base], heads: headRevs(index) })
    return Buffer.concat([...writeBundle({ repository, outgoing, type: 'none-v2', phases: true })])
  } finally {
    repository.close()
  }
}

function copyOf(name: string, purpose: string): string {
  const copy = join(scratch, `${name} ${purpose}`)
  cpSync(join(scratch, name), copy, { recursive: true })
  return copy
}

/** All files of .hg, the ones with much in them more than once. */
function filesOf(root: string): string[] {
  const names = readdirSync(join(root, '.hg'), { recursive: true, encoding: 'utf8' }).sort()
  const files = names
    .map((name) => join(root, '.hg', name))
    .filter((path) => statSync(path).isFile())
  const central = files.filter((path) => /00(changelog|manifest)|data\/a\.i|big/.test(path))
  return [...files, ...central, ...central]
}

/** Damages a file; gives what undoes it. */
function apply(files: readonly string[], { file, kind, where, bytes }: Damage): () => void {
  const path = files[file % files.length] ?? ''
  const whole = readFileSync(path)
  const at = whole.length === 0 ? 0 : where % whole.length
  // Damage near the start, where headers are, as often as elsewhere.
  const near = where % 2 === 0 ? at : at % 200
  if (kind === 'remove') rmSync(path)
  else writeFileSync(path, damaged(whole, near, { kind, bytes }))
  return () => writeFileSync(path, whole)
}

function damaged(
  whole: Buffer,
  at: number,
  { kind, bytes }: Pick<Damage, 'kind' | 'bytes'>,
): Buffer {
  if (kind === 'cut') return whole.subarray(0, at)
  if (kind === 'insert') return Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at)])
  const changed = Buffer.from(whole)
  bytes.forEach((byte, i) => {
    if (at + i >= changed.length) return
    changed[at + i] = kind === 'set' ? byte : (changed[at + i] ?? 0) ^ byte
  })
  return changed
}

/** A command in this process. */
function run(root: string, args: readonly string[]): { status: number; problems: string } {
  let problems = ''
  const status = runCli(['-R', root, '--mode', 'no-mmap', ...args], {
    cwd: scratch,
    env: {},
    writeOut: () => undefined,
    writeError: (text) => {
      problems += text
    },
    clockSeconds: () => 0,
  })
  return { status, problems }
}

/** Every text that the changelog and the manifest give is the one of its node. */
function checkTexts(root: string): void {
  const repository = tried(() => openRepository(root, { mode: 'no-mmap' }))
  if (repository === undefined) return
  try {
    for (const revlog of [tried(() => repository.changelog), tried(() => repository.manifest)]) {
      for (let rev = 0; rev < (revlog?.length ?? 0); rev++) {
        const text = tried(() => revlog?.rawText(rev))
        if (revlog === undefined || text === undefined || revlog.index.flags(rev) !== 0) continue
        const [p1, p2] = [revlog.index.p1(rev), revlog.index.p2(rev)]
        expect(hashText(revlog.node(p1), revlog.node(p2), text)).toBe(revlog.nodeHex(rev))
      }
    }
  } finally {
    repository.close()
  }
}

/** What `act` gives; undefined where it throws one of our errors. */
function tried<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof RevlogError) return undefined
    throw error
  }
}

/** Applies the bundle; gives the code of the error, if there is one. */
function unbundle(root: string): string | undefined {
  try {
    updateStore({ root, access: { mode: 'no-mmap' }, description: 'unbundle' }, (update) => {
      applyBundle(update, openBundle(bytesInput(bundle)))
    })
    return undefined
  } catch (error) {
    if (error instanceof RevlogError) return error.code
    throw error
  }
}

function contentsOf(root: string): Record<string, string> {
  const contents: Record<string, string> = {}
  const hg = join(root, '.hg')
  for (const name of readdirSync(hg, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(hg, name)
    if (statSync(path).isFile() && !/undo|journal/.test(name)) {
      contents[name] = readFileSync(path).toString('latin1')
    }
  }
  return contents
}
