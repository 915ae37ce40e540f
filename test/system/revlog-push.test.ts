/** Push and pull between the revlog program and hg, in every pair, beside what hg does with itself. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { branchyHistory, hg, hgEnvironment, program, revlog } from '../support/revlog-against-hg.ts'

let scratch = ''

/** A has drafts, a secret, bookmarks, merges and a closed branch; B some of it and its own; C all but. */
const script = `${branchyHistory}
  cd ..; mv work A; cd A; hg phase -qp 2; hg tag -qd '8 0' first; hg bookmark -r 3 one; hg bookmark -r 0 two
  cd ..
  for f in zlib zstd none; do hg clone -qU --pull -r 4 A B-$f --config format.revlog-compression=$f; done
  cd A; hg update -q 2; hg branch -q dev; echo d > d; hg commit -Aqm dev -d '11 0'
  hg update -q 3; echo s > s; hg commit -Aqm secret -d '12 0'; hg phase -fs tip; cd ..
  for f in zlib zstd none; do
    cd B-$f; printf '[phases]\\npublish=no\\n' >> .hg/hgrc; hg bookmark -fr 0 one; hg bookmark -fr 1 two
    hg update -q 4; echo r > r; hg commit -Aqm remote -d '13 0'; hg bookmark -fr 2 three
    hg update -q null; hg bookmark -q -i; cd ..
  done`

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-push-'))
  mkdirSync(join(scratch, 'work'))
  execFileSync('bash', ['-c', script], { cwd: join(scratch, 'work'), env: hgEnvironment() })
  const files = {
    engine: `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`,
    // Stands for ssh: the last argument is for a shell.
    ssh: '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n',
    // Breaks after the greeting, and nobody is left who could hold the connection open.
    'cut-ssh':
      '#!/bin/sh\nfor last; do :; done\nsh -c "$last" | { dd bs=1 count=520 2>/dev/null; kill -9 $$; }\n',
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(scratch, name), text)
    chmodSync(join(scratch, name), 0o755)
  }
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const run = { hg, revlog }
type Program = keyof typeof run

interface Exchange {
  readonly client: Program
  readonly args: (b: string) => readonly string[]
  readonly format: string
}

/** Copies the two repositories, lets the client act in A, and gives what was said and what came out. */
function exchange({ client, args, format }: Exchange) {
  const folder = mkdtempSync(join(scratch, 'copy-'))
  const [a, b] = [join(folder, 'A'), join(folder, 'B')]
  cpSync(join(scratch, 'A'), a, { recursive: true })
  cpSync(join(scratch, `B-${format}`), b, { recursive: true })
  const { status, stdout, stderr } = run[client](a, args(b))
  const said = [status, stdout, stderr].map((one) => `${one}`.replaceAll(folder, 'FOLDER'))
  // verify would wait for it.
  rmSync(join(b, '.hg', 'store', 'lock'), { force: true })
  const state = [a, b].map(seenByHg)
  rmSync(folder, { recursive: true })
  return { said, state }
}

function seenByHg(repository: string): string {
  const log = ['log', '-r', 'sort(all(), date)', '-T', '{node} {phase} {bookmarks} {branch}\n']
  const texts = [log, ['heads', '-c', '-T', '{node}\n'], ['verify', '-q']].map((args) => {
    const { stdout, stderr } = hg(repository, args)
    return [`${stdout}`.split('\n').sort().join('\n'), `${stderr}`]
  })
  return texts.flat().join('\n')
}

const viaSsh =
  (verb: string, server: Program, ...more: readonly string[]) =>
  (b: string) => [
    ...[verb, ...more, '--ssh', join(scratch, 'ssh')],
    ...['--remotecmd', server === 'hg' ? 'hg' : join(scratch, 'engine'), `ssh://me@host/${b}`],
  ]

test.each(['hg', 'revlog'] as const)(
  'incoming and outgoing over ssh list what hg lists, with %s at the other end',
  (server) => {
    const [a, b] = [join(scratch, 'A'), join(scratch, 'B-zstd')]
    for (const [verb, ...more] of [
      ['incoming'],
      ['outgoing', '-l', '2'],
      ['outgoing', '-qr', '4'],
    ]) {
      const [theirs, ours] = [
        hg(a, viaSsh(`${verb}`, 'hg', ...more)(b)),
        revlog(a, viaSsh(`${verb}`, server, ...more)(b)),
      ].map(({ status, stdout, stderr }) => [status, `${stdout}`, `${stderr}`])
      expect(ours).toEqual(theirs)
    }
  },
)

describe.each([
  ['push', ['-f']],
  ['pull', []],
] as const)('%s over ssh', (verb, options) => {
  let expected: ReturnType<typeof exchange>
  beforeAll(() => {
    expected = exchange({ client: 'hg', args: viaSsh(verb, 'hg', ...options), format: 'zstd' })
  })

  test.each([
    ['revlog', 'revlog', 'zlib'],
    ['revlog', 'hg', 'none'],
    ['hg', 'revlog', 'zstd'],
  ] as const)('%s with %s says and leaves what hg with hg does (%s)', (client, server, format) => {
    const got = exchange({ client, args: viaSsh(verb, server, ...options), format })
    expect(got.state).toEqual(expected.state)
    expect(got.said).toEqual(expected.said)
  })
})

test.each([
  ['push of one with a bookmark that moves', 'none', ['push', '-r', '3']],
  ['push of a secret', 'zlib', ['push', '-r', 'tip']],
  ['pull of some', 'zlib', ['pull', '-r', '3']],
  ['pull of all', 'none', ['pull']],
] as const)('in a folder, %s is what hg does', (_what, format, args) => {
  const of = (client: Program) => exchange({ client, args: (b) => [...args, b], format })
  expect(of('revlog')).toEqual(of('hg'))
})

describe('what goes wrong leaves both sides as they were', () => {
  let before: readonly string[]
  beforeAll(() => {
    before = ['A', 'B-zstd'].map((name) => seenByHg(join(scratch, name)))
  })

  test.each([
    ['pull', 'hg'],
    ['push', 'revlog'],
  ] as const)('a connection that breaks in the middle of a %s from %s', (verb, server) => {
    const args = (b: string) =>
      viaSsh(
        verb,
        server,
      )(b).map((one) => (one === join(scratch, 'ssh') ? join(scratch, 'cut-ssh') : one))
    const { said, state } = exchange({ client: 'revlog', args, format: 'zstd' })
    expect(said[0]).toBe('255')
    expect(said[2]).toMatch(/^(remote: .*\n|transaction abort!\n|rollback completed\n)*abort: /)
    expect(state).toEqual(before)
  })

  test('a lock that somebody holds', () => {
    const args = (b: string): string[] => {
      symlinkSync('elsewhere:1', join(b, '.hg', 'store', 'lock'))
      return ['push', '-f', '--config', 'ui.timeout=0', b]
    }
    const { said, state } = exchange({ client: 'revlog', args, format: 'zstd' })
    expect(said[0]).toBe('255')
    expect(said[2]).toMatch(
      /^abort: repository .* timed out waiting for lock held by 'elsewhere:1'/,
    )
    expect(state).toEqual(before)
  })
})
