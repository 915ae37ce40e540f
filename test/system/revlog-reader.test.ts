/**
 * The revlog program against hg itself: in every storage format, the same bytes come out of both.
 * The repositories are made here by hg, with the scripts under test/fixtures/repos.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  ACCESS_MODES,
  openRepository,
  parseFncache,
  parseManifest,
  type Repository,
  type Revlog,
} from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSame, hg, hgEnvironment, program, revlog } from '../support/revlog-against-hg.ts'

const scripts = fileURLToPath(new URL('../fixtures/repos', import.meta.url))
const FORMATS = [
  'zlib',
  'zstd',
  'none',
  'no-sparse-revlog',
  'no-generaldelta',
  'no-share-safe',
  'no-dotencode',
  'no-fncache',
  'dirstate-v2',
]
const LONG_FORMATS = ['zlib', 'none', 'no-generaldelta']

let scratch = ''
let history = ''
let longHistory = ''

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-reader-'))
  history = join(scratch, 'history')
  longHistory = join(scratch, 'long')
  await Promise.all([
    runScript('make-history.sh', history),
    runScript('make-long-history.sh', longHistory),
  ])
  await Promise.all([
    runScript('make-formats.sh', history, join(scratch, 'formats')),
    runScript('make-formats.sh', longHistory, join(scratch, 'long-formats'), ...LONG_FORMATS),
  ])
}, 120_000)

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('log prints what hg prints', () => {
  const cases: readonly (readonly string[])[] = [
    [],
    ['-l', '3'],
    ['-r', 'tip'],
    ['-r', 'null'],
    ['-r', '.'],
    ['-r', '2:5', '-r', '4', '-r', '0'],
    ['-r', '5:2', '-l', '2'],
    ['-r', ':1'],
    ['-r', '19:'],
    ['-r', '-1'],
    ['-r', 'v1.0'],
    ['-r', 'with space'],
    ['-r', 'zweite märke:active'],
    ['-r', 'last(all(),4)'],
    ['-T', '{rev} {node} {node|short} {author} {user}\\n'],
    ['-T', '{rev} {date} {date|hgdate} {date|isodate} {date|shortdate} {date|rfc3339date}\\n'],
    ['-T', '{desc}|{desc|firstline}|{branch}|{parents}|{tags}|{bookmarks}\\n'],
    ['-T', '{files}\\t\\{{p1rev} {p2rev} {p1node} {p2node}}\\n'],
  ]
  test.each(cases.map((args) => [args.join(' '), args] as const))('log %s', (_title, args) => {
    expectSame(history, ['log', ...args])
  })

  test('in the encodings that HGENCODING names', () => {
    for (const encoding of ['ascii', 'latin1', 'UTF-8']) {
      expectSame(history, ['log'], { HGENCODING: encoding })
    }
  })

  test('by a unique prefix of a node', () => {
    const node = hg(history, ['log', '-r', '7', '-T', '{node}']).stdout.toString()
    for (const length of [7, 9, 40]) {
      expectSame(history, ['log', '-r', node.slice(0, length)])
    }
  })

  test('and fails as it fails when there is no such revision', () => {
    for (const name of ['nothing', '99', '0:nothing']) {
      const theirs = hg(history, ['log', '-r', name])
      const ours = revlog(history, ['log', '-r', name])
      expect([ours.status, ours.stderr.toString()]).toEqual([
        theirs.status,
        theirs.stderr.toString(),
      ])
    }
  })

  test('of an empty repository', () => {
    const empty = join(scratch, 'empty')
    spawnSync('hg', ['init', empty], { env: hgEnvironment() })
    for (const rev of [[], ['-r', 'tip'], ['-r', 'null'], ['-r', 'last(all(),2)']]) {
      expectSame(empty, ['log', ...rev])
    }
  })

  test('with the tags of heads that disagree, with and without caches', () => {
    const copy = join(scratch, 'tags')
    spawnSync('cp', ['-a', history, copy])
    hg(copy, ['log', '-T', '{tags}'])
    expectSame(copy, ['log', '-T', '{rev} {tags}\\n'])
    rmSync(join(copy, '.hg', 'cache'), { recursive: true })
    const uncached = revlog(copy, ['log', '-T', '{rev} {tags}\\n']).stdout.toString()
    expect(uncached).toBe(hg(copy, ['log', '-T', '{rev} {tags}\\n']).stdout.toString())
  })
})

describe.each(FORMATS)('stored as %s', (format) => {
  test('log and index are those of hg, and every text hashes to its node', () => {
    const repository = join(scratch, 'formats', format)
    expectSame(repository, ['log'])
    expectSame(repository, ['debugindex', 'plain'])
    expect(verifyAll(repository)).toBeGreaterThan(30)
  })
})

describe.each(LONG_FORMATS)('a long history stored as %s', (format) => {
  test('log and texts are those of hg, and every text hashes to its node', () => {
    const repository = join(scratch, 'long-formats', format)
    expectSame(repository, ['log'])
    expectSame(repository, ['debugdata', '-m', '539'])
    expectSame(repository, ['debugdata', `long/${'x'.repeat(130)}`, '539'])
    expect(verifyAll(repository)).toBe(1080)
  })
})

test('the long history is split into index and data, the short one is not', () => {
  for (const name of ['00changelog.d', '00manifest.d']) {
    expect(existsSync(join(longHistory, '.hg/store', name))).toBe(true)
    expect(existsSync(join(history, '.hg/store', name))).toBe(false)
  }
})

describe('debug commands', () => {
  test('debugindex and debugdata print what hg prints', () => {
    for (const which of ['-c', '-m', 'copied', 'Größe €.txt']) {
      expectSame(history, ['debugindex', which])
      expectSame(history, ['debugdata', which, '0'])
    }
    for (const file of ['binary', 'marked', 'dotted.i/.hidden']) {
      expectSame(history, ['debugdata', file, '0'])
    }
  })

  test('a prefix of a node names a revision of changelog and manifest, but none of a file', () => {
    for (const which of ['-c', '-m', 'plain']) {
      const index = hg(history, ['debugindex', which]).stdout.toString()
      const prefix = /^ +0 +\d+ (\w+)/m.exec(index)?.[1] ?? ''
      const theirs = hg(history, ['debugdata', which, prefix])
      const ours = revlog(history, ['debugdata', which, prefix])
      expect(theirs.status).toBe(which === 'plain' ? 255 : 0)
      expect([which, ours.status, ours.stdout, ours.stderr.toString()]).toEqual([
        which,
        theirs.status,
        theirs.stdout,
        theirs.stderr.toString(),
      ])
    }
  })

  test('every file that fncache lists is found under its encoded name', () => {
    for (const root of [history, longHistory]) {
      const repository = openRepository(root, { mode: 'no-mmap' })
      const paths = parseFncache(readFileSync(join(root, '.hg/store/fncache')))
      expect(paths.length).toBeGreaterThan(10)
      for (const path of paths) expect(existsSync(repository.storePath(path)), path).toBe(true)
      repository.close()
    }
  })
})

describe('store names', () => {
  test('odd names are encoded as hg encodes them', () => {
    const odd = join(scratch, 'odd')
    hg(scratch, ['init', odd])
    const names = oddNames()
    for (const name of names) {
      const path = join(odd, name)
      spawnSync('mkdir', ['-p', join(path, '..')])
      writeFileSync(path, name)
    }
    const committed = hg(odd, ['commit', '-A', '-q', '-m', 'odd', '-u', 'x'])
    expect(committed.status).toBe(0)
    const repository = openRepository(odd, { mode: 'no-mmap' })
    for (const name of names) {
      const path = Buffer.from(name).toString('latin1')
      expect(existsSync(repository.storePath(`data/${path}.i`)), name).toBe(true)
    }
    repository.close()
    const stored = readdirSync(join(odd, '.hg/store'), { recursive: true, encoding: 'utf8' })
    expect(stored.filter((name) => /^(data|dh)\/.*\.i$/.test(name)).length).toBe(names.length)
  })
})

describe('what cannot be done is refused', () => {
  test('foreign revset functions and unknown template words are unsupported', () => {
    for (const args of [
      ['-r', 'user(x)'],
      ['-r', 'ffffff'],
      ['-T', '{diff()}'],
      ['-T', 'compact'],
      ['plain'],
    ]) {
      const { status, stdout, stderr } = revlog(history, ['log', ...args])
      expect([args, status, stdout.length]).toEqual([args, 2, 0])
      expect(stderr.toString()).toMatch(/^abort: .*not supported yet/)
    }
  })

  test('an unknown requirement is named', () => {
    const copy = join(scratch, 'required')
    spawnSync('cp', ['-a', join(scratch, 'formats', 'zlib'), copy])
    writeFileSync(join(copy, '.hg/store/requires'), 'exp-from-the-future\nrevlogv1\nstore\n')
    const { status, stderr } = revlog(copy, ['log'])
    expect(status).toBe(255)
    expect(stderr.toString()).toContain('exp-from-the-future')
  })

  test('a wrong command line ends with 64', () => {
    for (const args of [['frob'], ['log', '--bogus'], ['log', '-l', '0'], ['debugindex'], []]) {
      expect(revlog(history, args).status).toBe(64)
    }
  })

  test('a reader that goes away ends the program quietly', () => {
    const command = `node '${program}' log -R '${longHistory}' -T '{desc}{desc}{desc}{desc}' | head -c 10 >/dev/null; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', command], {
      env: hgEnvironment(),
    })
    expect([stdout.toString(), stderr.toString()]).toEqual(['255\n', ''])
  })
})

/** Reads and checks every text of every revlog; gives the number of texts. */
function verifyAll(root: string): number {
  let texts = 0
  for (const mode of ACCESS_MODES) {
    const repository = openRepository(root, { mode, mmapThreshold: 1 })
    verifyRevlog(repository.changelog)
    verifyRevlog(repository.manifest)
    repository.close()
  }
  const repository = openRepository(root, { mode: 'no-mmap' })
  for (const path of everyPath(repository)) {
    const filelog = repository.filelog(path)
    texts += verifyRevlog(filelog)
    filelog.close()
  }
  repository.close()
  return texts
}

function everyPath(repository: Repository): ReadonlySet<string> {
  const paths = new Set<string>()
  for (let rev = 0; rev < repository.manifest.length; rev++) {
    for (const { path } of parseManifest(repository.manifest.rawText(rev))) paths.add(path)
  }
  return paths
}

/** Backwards, forwards, and each node back to its revision. */
function verifyRevlog(log: Revlog): number {
  for (let rev = log.length - 1; rev >= 0; rev--) log.rawText(rev)
  for (let rev = 0; rev < log.length; rev++) {
    log.rawText(rev)
    if (log.findRev(log.node(rev)) !== rev) throw new Error(`revision ${rev} is not found`)
  }
  return log.length
}

/** Names that exercise each rule of the encoding, at lengths around those where hashing starts. */
function oddNames(): string[] {
  const words = ['aux', 'Con.x', 'lpt1.tar.gz', 'com0', 'nul ', 'trailing.', ' leading', '.dot']
  const more = ['UPPER_case', '__', '~tilde', 'a:b*c?"<>|', 'back\\slash', 'tab\there', 'ü€', 'x.d']
  const names = [...words, ...more].flatMap((word) => [word, `Sub.${word}dir/${word}`])
  const directories = ['deep/', 'Aux/', 'eight.chars.and.more/', '1234567. x/', '.hidden_dir/']
  for (let length = 60; length < 200; length += 3) {
    const directory = directories[length % directories.length] ?? ''
    const name = `${directory.repeat(1 + (length % 9))}N${'abC_'.repeat(50)}`.slice(0, length)
    names.push(name.endsWith('/') ? `${name}e.ext` : `${name}.e${length}`)
  }
  return names
}

async function runScript(name: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)('sh', [join(scripts, name), ...args])
}
