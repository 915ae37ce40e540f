/** Tokens over HTTP, and the audit log of what was done with them. */
import {
  type AuditEntry,
  createdTokenSchema,
  listAuditResponseSchema,
  listTokensResponseSchema,
} from '@assay/model'
import { describe, expect, it } from 'vitest'
import { expectProblem, openServer, roundOf, type TestServer, yaml } from './open-server.ts'

const make = async (server: TestServer, body: object) =>
  createdTokenSchema.parse((await server.send('POST', '/tokens', body)).json())

describe('a token', () => {
  it('is shown once, when it is made, and then works until it is revoked', async () => {
    const server = await openServer()
    const answer = await server.send('POST', '/tokens', { name: 'ci', scopes: ['run', 'run'] })
    expect(answer.statusCode).toBe(201)
    expect(answer.headers['cache-control']).toBe('no-store')
    const { token: text, ...made } = createdTokenSchema.parse(answer.json())
    expect(text).toMatch(/^assay_[0-9A-Za-z]{32}$/)
    expect(made).toMatchObject({ name: 'ci', scopes: ['run'], expiresAt: null, lastUsedAt: null })
    expect(answer.headers.location).toBe(`/api/v1/tokens/${made.id}`)

    const start = () => server.send('POST', '/runs', { yaml }, text)
    expect((await start()).statusCode).toBe(201)
    const list = await server.get('/tokens', server.by())
    const { tokens } = listTokensResponseSchema.parse(list.json())
    expect(tokens.find(({ id }) => id === made.id)?.lastUsedAt).not.toBeNull()
    expect(list.body).not.toContain(text)

    const revoked = await server.send('POST', `/tokens/${made.id}/revoke`)
    expect(revoked.json()).toMatchObject({ id: made.id })
    expectProblem(await start(), 401, 'token-revoked')
    expect((await server.get(`/tokens/${made.id}`, server.by())).json()).toEqual(revoked.json())
    expectProblem(await server.send('POST', '/tokens/none/revoke'), 404, 'token-not-found')
  })

  it('ends when its time is over', async () => {
    let now = 1_000_000
    const server = await openServer(
      (site) => site,
      () => now,
    )
    const { token, expiresAt } = await make(server, {
      ...{ name: 'short', scopes: ['read'], expires: '90m' },
    })
    expect(expiresAt).toBe(now + 5_400_000)
    now += 5_399_999
    expect((await server.get('/runs', server.by(token))).statusCode).toBe(200)
    now += 1
    expectProblem(await server.get('/runs', server.by(token)), 401, 'token-expired')
  })

  it.each([
    ['no scope', { name: 'x', scopes: [] }],
    ['an unknown scope', { name: 'x', scopes: ['root'] }],
    ['no name', { name: ' ', scopes: ['read'] }],
    ['a lifetime that is none', { name: 'x', scopes: ['read'], expires: 'soon' }],
  ])('is not made with %s', async (_what, body) => {
    const server = await openServer()
    expectProblem(await server.send('POST', '/tokens', body), 400, 'request-invalid')
  })

  it('still looks while its use cannot be noted', async () => {
    const server = await openServer((site) => {
      const used = (): never => {
        throw new Error('the disk is full')
      }
      const tokens = { ...site.store.tokens, used }
      return { ...site, store: { ...site.store, tokens } }
    })
    expect((await server.get('/runs', server.by())).statusCode).toBe(200)
    expect(server.errors).toMatchObject([{ err: { message: 'the disk is full' } }])
  })
})

describe('the audit log', () => {
  const entriesOf = async (server: TestServer): Promise<readonly AuditEntry[]> =>
    listAuditResponseSchema.parse((await server.get('/audit', server.by())).json()).entries

  it('has every change: who, what, to what, how it ended, by which request', async () => {
    const server = await openServer()
    const { id: tokenId, token } = await make(server, { name: 'ci', scopes: ['run'] })
    await server.send('POST', '/runs', { yaml }, token)
    await server.send('POST', '/runs/latest/cancel', {}, token)
    const [cancelled, started, made, ...none] = await entriesOf(server)
    expect(none).toEqual([])
    const who = { tokenId, name: 'ci', address: '127.0.0.1' }
    expect(cancelled).toMatchObject({
      ...{ who, status: 200, action: 'POST /api/v1/runs/:run/cancel', object: { run: 'run2' } },
    })
    expect(started).toMatchObject({
      ...{ who, status: 201, action: 'POST /api/v1/runs' },
      object: { location: '/api/v1/runs/run2' },
    })
    expect(made).toMatchObject({ action: 'POST /api/v1/tokens', who: { name: 'admin' } })
    expect(made?.object).toEqual({ location: `/api/v1/tokens/${tokenId}` })
    const requests = [cancelled, started, made].map((entry) => entry?.requestId)
    expect(new Set(requests).size).toBe(3)
    expect(JSON.stringify(await entriesOf(server))).not.toContain(token)
  })

  it('has every refusal of a change, and none of a look', async () => {
    const server = await openServer()
    const url = '/api/v1/runs/latest/cancel'
    await server.app.inject({ method: 'POST', url })
    await server.send('POST', '/runs/latest/cancel', {}, server.token('review'))
    await server.send('POST', '/runs/latest/cancel', {}, 'assay_none')
    const origin = 'https://evil.example'
    await server.app.inject({ method: 'POST', url, headers: { origin, ...server.by() } })
    await server.get('/runs', server.by('assay_none'))
    await server.get('/audit')
    expect((await entriesOf(server)).map(({ status, who }) => `${status} ${who.name}`)).toEqual([
      ...['403 nobody', '401 nobody', '403 review', '401 loopback'],
    ])
  })

  it('names a token that has ended', async () => {
    const server = await openServer()
    const { id, token } = await make(server, { name: 'old', scopes: ['run'] })
    await server.send('POST', `/tokens/${id}/revoke`)
    await server.send('POST', '/runs', { yaml }, token)
    expect((await entriesOf(server))[0]).toMatchObject({ status: 401, who: { tokenId: id } })
  })

  it('has neither what failed nor what workers save, which has records of its own', async () => {
    const server = await openServer()
    const id = await server.start()
    const before = (await entriesOf(server)).length
    const token = await server.take(id)
    await server.putRound(id, token, roundOf(1))
    await server.send('POST', '/takes/renew', { token })
    await server.send('POST', `/runs/${id}/blocks/b1/release`, { token })
    await server.send('POST', '/runs', { yaml: 'faulty' })
    await server.send('POST', '/runs/none/cancel')
    await server.send('POST', '/plan', { yaml })
    expect(await entriesOf(server)).toHaveLength(before)
  })

  it('comes in pages', async () => {
    const server = await openServer()
    for (const name of ['one', 'two', 'three']) await make(server, { name, scopes: ['read'] })
    const page = async (query: string) =>
      listAuditResponseSchema.parse((await server.get(`/audit?${query}`, server.by())).json())
    const first = await page('limit=2')
    const second = await page(`limit=2&cursor=${first.nextCursor}`)
    expect([...first.entries, ...second.entries].map(({ id }) => id)).toEqual([3, 2, 1])
    expect(second.nextCursor).toBeNull()
  })

  it('that cannot be written leaves its entry in the log of the server', async () => {
    const server = await openServer((site) => {
      const record = (): never => {
        throw new Error('the disk is full')
      }
      return { ...site, store: { ...site.store, audit: { ...site.store.audit, record } } }
    })
    expect((await server.send('POST', '/runs', { yaml })).statusCode).toBe(201)
    expect(server.errors).toMatchObject([{ entry: { action: 'POST /api/v1/runs' } }])
  })
})
