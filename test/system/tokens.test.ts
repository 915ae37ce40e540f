/** Tokens as people meet them: the first one, the command line, workers, other machines. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAuditResponseSchema, listTokensResponseSchema } from '@assay/model'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { processesWith } from '../support/launching.ts'
import {
  appProgram,
  askServer,
  assay,
  type StartedServer,
  startProgram,
  startServer,
} from '../support/programs.ts'

let directory = ''
let db = ''
let server: StartedServer | null = null
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-tokens-'))
  db = join(directory, 'assay.db')
  mkdirSync(join(directory, 'campaigns'))
})
afterEach(async () => {
  await server?.stop('SIGKILL')
  server = null
  await vi.waitFor(() => expect(processesWith(directory)).toEqual([]), { timeout: 20_000 })
  rmSync(directory, { recursive: true })
})

const serve = async (
  options: { readonly worker?: boolean; readonly host?: string } = {},
): Promise<StartedServer> => {
  const campaigns = join(directory, 'campaigns')
  server = await startServer(directory, { campaigns, worker: false, ...options })
  return server
}

/** What the server prints until it listens. */
const printedByServe = async (...argv: string[]): Promise<string> => {
  const child = startProgram(directory, appProgram('api'), '--port', '0', '--db', db, ...argv)
  let text = ''
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('served at')) resolve()
    })
    void child.then(() => resolve())
  })
  child.kill('SIGTERM')
  await child
  return text
}

const tokenText = /assay_[0-9A-Za-z]{32}/

describe('the first token', () => {
  it('is printed by the first start, and by no other', async () => {
    expect(await printedByServe()).toMatch(tokenText)
    expect(await printedByServe()).not.toMatch(tokenText)
  })

  it('is written where nobody else can read it instead, if that is asked for', async () => {
    const file = join(directory, 'token')
    writeFileSync(file, 'from before', { mode: 0o644 })
    const printed = await printedByServe('--token-file', file)
    expect(printed).not.toMatch(tokenText)
    expect(printed).toContain(file)
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${tokenText.source}\n$`))
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  })

  it('is not made where its file cannot be written: the next start makes it', async () => {
    const file = join(directory, 'no', 'such', 'folder')
    const argv = ['--port', '0', '--db', db, '--token-file', file]
    const end = await startProgram(directory, appProgram('api'), ...argv)
    expect(end.exitCode).toBe(2)
    expect(String(end.stderr)).toContain('[token-file-unusable]')
    expect(await printedByServe()).toMatch(tokenText)
  })
})

describe('assay token', () => {
  it('makes, lists and revokes tokens of a store that no server holds', async () => {
    const made = await assay(
      directory,
      'token',
      'create',
      '--name',
      'ci',
      '--scope',
      'run',
      '--db',
      db,
    )
    expect(made.stdout).toMatch(new RegExp(`^${tokenText.source}\n$`))
    const [, id = ''] = /token (\w+)/.exec(made.stderr) ?? []
    const list = async () => (await assay(directory, 'token', 'list', '--db', db)).stdout
    expect(await list()).toMatch(new RegExp(`^${id} +ci +run .* never +holds$`, 'm'))
    await assay(directory, 'token', 'revoke', id, '--db', db)
    expect(await list()).toMatch(new RegExp(`^${id} .* revoked \\d`, 'm'))
    expect(await list()).not.toMatch(tokenText)
    const faults = [
      ['--name', ' ', '--scope', 'run'],
      ['--name', 'x', '--scope', 'root'],
      ['--name', 'x', '--scope', 'run', '--expires', 'soon'],
      ['--name', 'x', '--scope', 'run', '--server', 'localhost:7357'],
    ].map((wrong) => assay(directory, 'token', 'create', '--db', db, ...wrong))
    for (const refused of await Promise.all(faults)) {
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    }
    const unknown = await assay(directory, 'token', 'revoke', 'nothing', '--db', db)
    expect(unknown).toMatchObject({ exitCode: 2 })
    expect(unknown.stderr).toContain('[token-not-found]')
  })

  it('asks the server that holds the store, and is told to where it does not', async () => {
    const { url, token } = await serve()
    const create = ['token', 'create', '--name', 'ci', '--scope', 'read', '--scope', 'run']
    const refused = await assay(directory, ...create, '--db', db)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('--server')
    const at = ['--server', url, '--token', token]
    const made = await assay(directory, ...create, '--expires', '30d', '--json', ...at)
    const { id, scopes, createdAt, expiresAt } = JSON.parse(made.stdout)
    expect(scopes).toEqual(['read', 'run'])
    expect(expiresAt - createdAt).toBeGreaterThan(29 * 86_400_000)
    expect((await assay(directory, 'token', 'revoke', id, ...at)).exitCode).toBe(0)
    expect((await assay(directory, 'token', 'list', ...at)).stdout).toMatch(/ ci .* revoked /)
    const without = await assay(directory, 'token', 'list', '--server', url, '--token', 'assay_x')
    expect(without.exitCode).toBe(2)
    expect(without.stderr).toContain('[token-unknown]')
    const audit = listAuditResponseSchema.parse(await (await askServer(server, '/audit')).json())
    expect(audit.entries.map(({ action, object }) => [action, object['token']])).toEqual([
      ['POST /api/v1/tokens/:token/revoke', id],
      ['POST /api/v1/tokens', undefined],
    ])
  })

  it('leaves what it did in the audit log of the server that comes after', async () => {
    const create = ['token', 'create', '--name', 'mine', '--scope', 'admin', '--db', db]
    writeFileSync(join(directory, 'first-token'), (await assay(directory, ...create)).stdout)
    await serve()
    const audit = listAuditResponseSchema.parse(await (await askServer(server, '/audit')).json())
    expect(audit.entries).toMatchObject([
      {
        ...{ action: 'assay token create', object: { name: 'mine' }, status: null },
        who: { tokenId: null, name: expect.stringMatching(/^local user \S/), address: null },
      },
    ])
  })
})

describe('a worker', () => {
  it('that the server starts has a token that neither `ps` nor the store shows', async () => {
    await serve({ worker: true })
    await vi.waitFor(
      async () => {
        const answer = await askServer(server, '/health/ready')
        expect(answer.status).toBe(200)
        expect(processesWith(`${appProgram('worker')}\0--server`).length).toBeGreaterThan(0)
      },
      { timeout: 20_000 },
    )
    for (const pid of processesWith(directory)) {
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toMatch(tokenText)
    }
    const list = await askServer(server, '/tokens')
    const { tokens } = listTokensResponseSchema.parse(await list.json())
    expect(tokens.map(({ name }) => name)).toEqual(['first'])
  })

  it('without the right to measure ends with what is missing', async () => {
    const { url, token } = await serve()
    const create = ['token', 'create', '--name', 'x', '--scope', 'read', '--server', url]
    const reading = (await assay(directory, ...create, '--token', token)).stdout.trim()
    const work = (...argv: string[]) =>
      assay(directory, 'worker', '--server', url, '--datasets', join(directory, 'd'), ...argv)
    const [none, wrong] = await Promise.all([work(), work('--token', reading)])
    expect(none.exitCode).toBe(2)
    expect(none.stderr).toMatch(/^assay worker: .*`worker`.* \[token-missing\]$/m)
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toMatch(/^assay worker: .*`worker`.* \[scope-missing\]$/m)
  })
})

const [address] = Object.values(networkInterfaces())
  .flatMap((interfaces) => interfaces ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal)
  .map((one) => one.address)

describe('a server for other machines', () => {
  it.skipIf(address === undefined)('tells them nothing without a token', async () => {
    const { url, token } = await serve({ host: '0.0.0.0' })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const ask = (path: string, headers = {}, at = url.replace('127.0.0.1', address ?? '')) =>
      fetch(`${at}/api/v1${path}`, { headers })
    expect((await ask('/health/live')).status).toBe(200)
    for (const path of ['/runs', '/openapi.json', '/health/ready', '/nothing']) {
      expect((await ask(path)).status, path).toBe(401)
    }
    expect((await ask('/runs', { authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await ask('/runs', {}, url)).status).toBe(200)
  })

  it('says so where the address is not one of this machine', async () => {
    const argv = ['--port', '0', '--db', db, '--host', '192.0.2.1']
    const end = await startProgram(directory, appProgram('api'), ...argv)
    expect(end.exitCode).toBe(2)
    expect(String(end.stderr)).toContain('[host-unusable]')
  })
})
