/**
 * Whole conversations with `serve --stdio`, as clients of any age hold them: bundles of the first
 * kind, keys, errors, garbage. What hg answers to the same bytes is the measure.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hg, hgEnvironment, program } from '../support/revlog-against-hg.ts'
import { leftBehind, storeContents } from '../support/unbundle-against-hg.ts'

let scratch = ''
let base = ''
let nodes: readonly string[] = []

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-serve-'))
  base = join(scratch, 'base')
  mkdirSync(join(scratch, 'source'))
  const script = `set -e; hg init -q
    for n in 0 1 2 3; do echo $n >> a; hg commit -Aqm "c$n" -d "$n 0"; done
    for t in none gzip bzip2; do hg bundle -qt $t-v1 --base 1 ../$t-v1; done
    hg bundle -qt none-v1 --base 2 ../gap-v1; hg bundle -qt none-v2 --base 1 ../none-v2
    hg clone -qUr 1 . ../base; hg -R ../base phase -qdf 0`
  execFileSync('bash', ['-c', script], { cwd: join(scratch, 'source'), env: hgEnvironment() })
  nodes = `${hg(base, ['log', '-r', 'all()', '-T', '{node}\n']).stdout}`.trim().split('\n')
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Says it all at once to a server on a copy, and gives the answers and what became of the copy. */
function converse(server: 'hg' | 'revlog', request: Buffer) {
  const copy = join(scratch, 'copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(base, copy, { recursive: true })
  const args = ['-R', copy, 'serve', '--stdio']
  const options = { input: request, env: hgEnvironment(), timeout: 20_000 }
  const { stdout, stderr, status } =
    server === 'hg'
      ? spawnSync('hg', args, options)
      : spawnSync(process.execPath, [program, ...args], options)
  return { copy, answer: stdout.toString('latin1'), said: stderr.toString(), status }
}

const history = (copy: string): string =>
  `${hg(copy, ['log', '-T', '{node} {phase} {bookmarks}\n']).stdout}${hg(copy, ['verify', '-q']).stderr}`

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const argument = (name: string, value: string): string => `${name} ${value.length}\n${value}`
const file = (name: string): Buffer => readFileSync(join(scratch, name))
const force = bytes('force').toString('hex')

/** An unbundle in frames that are no multiple of anything. */
function unbundle(bundle: Buffer, heads = force): Buffer {
  const pieces = [bytes(`unbundle\n${argument('heads', heads)}`)]
  for (let at = 0; at < bundle.length; at += 97) {
    const piece = bundle.subarray(at, at + 97)
    pieces.push(bytes(`${piece.length}\n`), piece)
  }
  return Buffer.concat([...pieces, bytes('0\n')])
}

const pushKey = (namespace: string, key: string, before: string, after: string): string =>
  `pushkey\n${argument('namespace', namespace)}${argument('key', key)}${argument('old', before)}${argument('new', after)}`

test.each(['none-v1', 'gzip-v1', 'bzip2-v1'])(
  'a push of the first kind of bundle, %s, is taken as hg takes it',
  (name) => {
    const [theirs, ours] = (['hg', 'revlog'] as const).map((server) => {
      const { copy, ...heard } = converse(server, unbundle(file(name), nodes[1]))
      return { ...heard, history: history(copy) }
    })
    expect(ours).toEqual(theirs)
    expect(ours).toMatchObject({ answer: '0\n0\n1\n1', status: 0 })
  },
)

test('keys are changed where they are as the client saw them, and only there', () => {
  const [c0 = '', c1 = ''] = nodes
  const requests = [
    ...[pushKey('bookmarks', 'x', '', c0), pushKey('bookmarks', 'x', c0, c1)],
    ...[pushKey('bookmarks', 'x', c0, c0), pushKey('bookmarks', 'y', '', c1)],
    ...[pushKey('bookmarks', 'y', c1, ''), pushKey('bookmarks', 'z', c0, c1)],
    ...[pushKey('phases', c0, '1', '0'), pushKey('phases', c0, '1', '0')],
    ...[pushKey('namespaces', 'a', '', 'b'), pushKey('nosuch', 'a', '', 'b')],
    ...['lookup\n', argument('key', 'nosuch'), 'nosuch\n', 'heads\n'],
  ]
  const [theirs, ours] = (['hg', 'revlog'] as const).map((server) => {
    const { copy, ...heard } = converse(server, bytes(requests.join('')))
    return { ...heard, history: history(copy) }
  })
  expect(ours).toEqual(theirs)
  expect(ours?.answer.slice(0, 40)).toBe(
    '2\n1\n2\n1\n2\n0\n2\n1\n2\n1\n2\n0\n2\n1\n2\n1\n2\n0\n2\n0\n',
  )
})

test('heads that have changed are told before anything is sent', () => {
  const request = bytes(`unbundle\n${argument('heads', nodes[0] ?? '')}heads\n`)
  const [theirs, ours] = (['hg', 'revlog'] as const).map((server) => converse(server, request))
  expect(ours).toEqual(theirs)
  expect(ours?.answer).toBe(
    `61\nrepository changed while preparing changes - please try again41\n${nodes[1]}\n`,
  )
})

const flipped = (buffer: Buffer, at: number): Buffer => {
  const copy = Buffer.from(buffer)
  copy[at] = (copy[at] ?? 0) ^ 0x55
  return copy
}

test.each<readonly [string, () => Buffer, string]>([
  ['a parent that is not there', () => unbundle(file('gap-v1')), 'unknown parent'],
  ['a damaged text', () => unbundle(flipped(file('none-v1'), 180)), 'integrity check failed'],
  ['an end before its time', () => unbundle(file('none-v1').subarray(0, 200)), 'ends at byte 200'],
  ['garbage in place of a bundle', () => unbundle(bytes('garbage')), 'not a Mercurial bundle'],
  [
    'a damaged bundle of the second kind',
    () => unbundle(flipped(file('none-v2'), 200)),
    'integrity',
  ],
])('%s is answered, and the next command as well', (_what, request, why) => {
  const { copy, answer, said, status } = converse(
    'revlog',
    Buffer.concat([request(), bytes('heads\n')]),
  )
  expect(answer.endsWith(`41\n${nodes[1]}\n`)).toBe(true)
  expect(`${answer}${said}`).toContain(why)
  expect(status).toBe(0)
  expect(storeContents(copy)).toEqual(storeContents(base))
  expect(leftBehind(copy)).toEqual([])
})

test.each<readonly [string, () => Buffer]>([
  [
    'in place of a length',
    () => Buffer.concat([unbundle(file('none-v1')).subarray(0, 500), bytes('\nzz\n')]),
  ],
  ['in place of an argument', () => bytes('known\nfoo 3\nabc')],
  ['an end inside a frame', () => unbundle(file('none-v1')).subarray(0, 400)],
])('garbage in mid-stream, %s, ends the conversation and changes nothing', (_what, request) => {
  const { copy, said, status } = converse('revlog', request())
  expect(said).toMatch(/abort: standard input: /)
  expect(status).toBe(255)
  expect(storeContents(copy)).toEqual(storeContents(base))
  expect(leftBehind(copy)).toEqual([])
})
