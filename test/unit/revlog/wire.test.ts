/** The wire protocol's texts and its server, on good input and on garbage. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  batchCommands,
  bytesInput,
  createRepository,
  openSshPeer,
  parseBatch,
  parseSshUrl,
  RepositoryService,
  RevlogError,
  serveConnection,
  sshCommandLine,
} from '@assay/revlog'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

let scratch = ''
let root = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-wire-'))
  root = join(scratch, 'repository')
  createRepository(root).close()
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What the server answers to these bytes. */
function serve(request: Uint8Array): string {
  const service = new RepositoryService({
    root,
    access: { mode: 'no-mmap' },
    locks: { timeoutSeconds: 0 },
    say: () => undefined,
  })
  let answer = ''
  try {
    serveConnection({
      service,
      input: bytesInput(request),
      write: (bytes) => {
        answer += Buffer.from(bytes).toString('latin1')
      },
      writeError: () => undefined,
    })
  } finally {
    service.close()
  }
  return answer
}

const NULL_HEX = '0'.repeat(40)

test('commands in a batch come back as they went in', () => {
  const text = fc.string({ unit: fc.constantFrom(...':;,=abc ', '\n') })
  fc.assert(
    fc.property(text, (value) => {
      const commands = [{ name: 'known', args: new Map([['nodes', value]]) }]
      expect(parseBatch(batchCommands(commands))).toEqual(commands)
    }),
  )
})

test('an ssh address is taken apart and quoted for the shell', () => {
  const address = parseSshUrl('ssh://me@host:2222//srv/a%20repo')
  expect(address).toEqual({ host: 'me@host', port: '2222', path: '/srv/a repo' })
  expect(sshCommandLine(address, { sshCommand: 'ssh -C', remoteCommand: 'hg' })).toBe(
    `ssh -C -p 2222 'me@host' 'hg -R '\\''/srv/a repo'\\'' serve --stdio'`,
  )
})

test('an address that the ssh program would take for an option is refused', () => {
  for (const url of ['ssh://-oProxyCommand=x/y', 'ssh://-l@host/x', 'ssh://', 'ssh://a:b@host/x']) {
    expect(() => parseSshUrl(url)).toThrow(RevlogError)
  }
})

test('an empty repository greets, and has the null changeset as its head', () => {
  const pair = `${NULL_HEX}-${NULL_HEX}`
  const answer = serve(Buffer.from(`hello\nbetween\npairs 81\n${pair}heads\nnosuch\n`))
  expect(answer).toMatch(/^\d+\ncapabilities: batch branchmap bundle2=HG20%0A/)
  expect(answer.endsWith(`\n1\n\n41\n${NULL_HEX}\n0\n`)).toBe(true)
})

test('any change to what a client sends is answered or refused by code', () => {
  const good = Buffer.from(
    `hello\nbatch\n* 0\ncmds 60\nheads ;known nodes=${NULL_HEX} getbundle\n* 2\ncommon 40\n${NULL_HEX}cg 1\n1unbundle\nheads 10\n666f72636512\nHG20\0\0\0\0\0\0\0\0` +
      '0\n',
    'latin1',
  )
  for (let at = 0; at < good.length; at++) {
    for (const request of [good.subarray(0, at), changed(good, at)]) {
      try {
        serve(request)
      } catch (error) {
        expect(error).toBeInstanceOf(RevlogError)
      }
    }
  }
})

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0x15
  return copy
}

test.each([
  ['nothing', 'true'],
  ['another protocol', 'echo SSH-2.0-x; cat > /dev/null'],
  ['noise without end', 'yes'],
  ['a length that is none', `printf '14\\ncapabilities: \\n1\\n\\n'`],
  ['silence', 'sleep 20'],
])('a remote that answers with %s is given up by code', (_what, answer) => {
  const open = () =>
    openSshPeer('ssh://host/x', {
      sshCommand: `sh -c "${answer.replaceAll('\\', '\\\\')}" #`,
      remoteCommand: 'hg',
      env: process.env,
      onRemoteText: () => undefined,
      silenceMillis: 300,
    })
  expect(open).toThrow(expect.objectContaining({ name: 'RevlogError' }))
})
