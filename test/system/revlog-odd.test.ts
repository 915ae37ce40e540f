/**
 * The revlog program against hg on what is rare: dates at the ends of the calendar, names that end in
 * odd bytes, local tags, tags on which many heads disagree, descriptions that are mostly blank. The
 * repositories are written by the engine, since hg itself refuses to commit some of it.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@assay/model'
import {
  createRepository,
  type FileChange,
  type RepositoryWriter,
  utf8ByteString,
} from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSame, hg, hgEnvironment, program, revlog } from '../support/revlog-against-hg.ts'

let scratch = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-odd-'))
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const DATES: readonly (readonly [number, number])[] = [
  [5e9, 0],
  [-5e9, 3600],
  [1e15, 0],
  [2 ** 31 - 1, -3600],
  [-(2 ** 31), 3600],
  [1.5, 0],
  [-1.5, 0],
  [-0.5, -3600],
  [0, 100_000],
  [0, -59],
  [0, 61],
]

describe('dates', () => {
  test('fractions, odd zones and years beyond 32 bits come out as with hg', () => {
    const root = join(scratch, 'dates')
    const writer = createRepository(root)
    for (const [time, timezoneSeconds] of DATES) commit(writer, { time, timezoneSeconds })
    writer.close()
    expectSame(root, ['log'])
    const forms = '{date} {date|hgdate} {date|isodate} {date|shortdate} {date|rfc3339date}\\n'
    expectSame(root, ['log', '-T', forms])
  })
})

describe('descriptions', () => {
  test('blanks around and inside, of any length, are those of hg', () => {
    const root = join(scratch, 'blank')
    const writer = createRepository(root)
    const blank = ' '.repeat(200_000)
    for (const description of [`a${blank}b`, `${blank}\n\v\f c \r\n`, ' \r', utf8ByteString('à')]) {
      commit(writer, { description })
    }
    writer.close()
    expectSame(root, ['log'])
    expectSame(root, ['log', '-T', '{desc}|{desc|firstline}|{desc|strip}\\n'])
  })
})

describe('tags', () => {
  test('a name may end in a letter whose last byte is a blank in Latin-1', () => {
    const root = join(scratch, 'letters')
    const writer = createRepository(root)
    const node = commit(writer, {})
    const names = ['voilà', '  spaced\t', 'line\u0085', 'nb\u00a0']
    const tags = names.map((name) => `${node} ${utf8ByteString(name)}\n`).join('')
    commit(writer, { files: [tagsFile(tags)] })
    writer.close()
    expectSame(root, ['log', '-T', '{rev} {tags}\\n'])
    expectSame(root, ['log', '-r', 'voilà'])
  })

  test('a local tag hides a global one only if its changeset is here', () => {
    const root = join(scratch, 'local')
    const writer = createRepository(root)
    const nodes = [commit(writer, {}), commit(writer, {})]
    commit(writer, { files: [tagsFile(`${nodes[0]} kept\n${nodes[0]} moved\n${nodes[0]} gone\n`)] })
    writer.close()
    const upper = `${nodes[1]}`.toUpperCase()
    const local = [`${'ab'.repeat(20)} kept`, `${upper} moved`, `${'0'.repeat(40)} gone`]
    const rest = `\n${nodes[0]} one\r${nodes[1]} two\r\nno tag\n`
    writeFileSync(join(root, '.hg/localtags'), local.join('\n') + rest)
    expectSame(root, ['log', '-T', '{rev} {tags}\\n'])
  })

  test('where many heads disagree, the winner is that of hg', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const root = join(scratch, `heads-${seed}`)
      writeDisagreeingHeads(root, `${seed}`)
      const ours = revlog(root, ['log', '-T', '{rev} {tags}\\n']).stdout.toString()
      const theirs = hg(root, ['log', '-T', '{rev} {tags}\\n']).stdout.toString()
      expect([seed, ours]).toEqual([seed, theirs])
    }
  })
})

test('bookmarks of changesets that are not here are left out, one of null is not', () => {
  const root = join(scratch, 'bookmarks')
  const writer = createRepository(root)
  const nodes = [commit(writer, {}), commit(writer, {})]
  writer.close()
  const marks = [
    `${nodes[0]} b`,
    `${nodes[0]} a`,
    `${'ab'.repeat(20)} away`,
    `${'0'.repeat(40)} nil`,
  ]
  writeFileSync(join(root, '.hg/bookmarks'), `${marks.join('\n')}\n`)
  for (const revs of [[], ['-r', 'null'], ['-r', 'a'], ['-r', 'tip']]) {
    expectSame(root, ['log', ...revs])
    expectSame(root, ['log', '-T', '{rev} {bookmarks} {tags}\\n', ...revs])
  }
  expect(revlog(root, ['log', '-r', 'away']).status).toBe(255)
})

describe('where the system refuses', () => {
  test('a full disk ends it with 255 and a word, not as a fault of the program', () => {
    const full = openSync('/dev/full', 'w')
    const args = ['log', '-r', 'null', '-R', join(scratch, 'dates')]
    const out = spawnSync(process.execPath, [program, ...args], {
      env: hgEnvironment(),
      stdio: ['ignore', full, 'pipe'],
    })
    const mute = spawnSync(process.execPath, [program, ...args, '-r', 'nothing'], {
      env: hgEnvironment(),
      stdio: ['ignore', 'pipe', full],
    })
    closeSync(full)
    expect([out.status, mute.status]).toEqual([255, 255])
    expect(out.stderr.toString()).toMatch(/^abort: standard output: ENOSPC[^\n]*\n$/)
  })

  test('a path that cannot be looked at, or a directory that is gone, is named', () => {
    const long = revlog(scratch, ['log', '-R', 'x'.repeat(5_000)])
    expect([long.status, long.stderr.toString()]).toEqual([
      255,
      expect.stringMatching(/^abort: x+\/\.hg: ENAMETOOLONG/),
    ])
    const gone = spawnSync(
      'sh',
      ['-c', `mkdir gone && cd gone && rmdir ../gone && exec node '${program}' log`],
      { cwd: scratch, env: hgEnvironment() },
    )
    expect([gone.status, gone.stderr.toString()]).toEqual([
      255,
      expect.stringMatching(/^abort: the current directory: ENOENT[^\n]*\n$/),
    ])
  })

  test('the working directory by its number is unsupported, as by its node', () => {
    const { status, stderr } = revlog(join(scratch, 'dates'), ['log', '-r', '2147483647'])
    expect([status, stderr.toString()]).toEqual([2, expect.stringContaining('not supported yet')])
  })
})

interface Commit {
  readonly p1?: number
  readonly time?: number
  readonly timezoneSeconds?: number
  readonly description?: string
  readonly files?: readonly FileChange[]
}

/** Appends a changeset, on the tip if nothing else is said; gives its node. */
function commit(writer: RepositoryWriter, given: Commit): string {
  const { node } = writer.commit({
    p1: writer.length - 1,
    p2: -1,
    user: 'x',
    time: writer.length,
    timezoneSeconds: 0,
    description: `changeset ${writer.length}`,
    files: [],
    ...given,
  })
  return Buffer.from(node).toString('hex')
}

function tagsFile(content: string): FileChange {
  return { kind: 'write', path: '.hgtags', content: Buffer.from(content, 'latin1') }
}

/** Twenty changesets with several heads, each of which moves, removes or forgets three tags. */
function writeDisagreeingHeads(root: string, seed: string): void {
  const random = seededRandom(seed)
  const pick = (limit: number): number => Math.floor(random() * limit)
  const writer = createRepository(root)
  const nodes: string[] = []
  const tags: string[][] = []
  for (let rev = 0; rev < 20; rev++) {
    const p1 = rev < 3 ? rev - 1 : Math.max(0, rev - 1 - pick(6) * pick(3))
    const lines = [...(tags[p1] ?? [])]
    const more = rev > 1 && random() < 0.6 ? 1 + pick(3) : 0
    for (let i = 0; i < more; i++) {
      const known = nodes[pick(4)] ?? 'ab'.repeat(20)
      lines.push(`${random() < 0.15 ? '0'.repeat(40) : known} tag${pick(3)}\n`)
    }
    if (lines.length > 1 && random() < 0.2) lines.splice(pick(lines.length), 1)
    tags.push(lines)
    nodes.push(commit(writer, { p1, files: lines.length === 0 ? [] : [tagsFile(lines.join(''))] }))
  }
  writer.close()
}
