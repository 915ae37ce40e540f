/**
 * Who may do what, taken from the OpenAPI document: every route against every scope and against no
 * token. A route that is added is in the document, and with it in this table.
 */
import { buildApp } from '@assay/api'
import { type Scope, scopes } from '@assay/model'
import { makeToken } from '@assay/orchestrator'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { expectProblem, openServer, ownWorkerToken, type TestServer } from './open-server.ts'

const methodSchema = z.enum(['get', 'post', 'put', 'delete', 'patch'])
const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.partialRecord(methodSchema, z.object({ 'x-scope': z.enum([...scopes, 'open']) })),
  ),
})

interface Operation {
  readonly method: z.infer<typeof methodSchema>
  readonly path: string
  readonly scope: Scope | 'open'
}

const operationsOf = async (server: TestServer): Promise<readonly Operation[]> => {
  const { paths } = documentSchema.parse((await server.get('/openapi.json')).json())
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...{ path, method: methodSchema.parse(method), scope: operation['x-scope'] },
    })),
  )
}

/** Who asks, and what an operation must answer: null for anything but a refusal. */
interface Asker {
  readonly who: string
  readonly headers?: Readonly<Record<string, string>>
  readonly remoteAddress?: string
  readonly refusal: (operation: Operation) => string | null
}

const elsewhere = '192.0.2.7'

/** Written down here once more, so that a change of what a scope allows shows. */
const allowing: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read', 'run', 'review', 'admin'],
  run: ['run', 'admin'],
  review: ['review', 'admin'],
  worker: ['worker', 'admin'],
  admin: ['admin'],
}

const withToken = (code: string) => (operation: Operation) =>
  operation.scope === 'open' ? null : code

const asScopes =
  (...held: Scope[]) =>
  ({ scope }: Operation): string | null =>
    scope === 'open' || held.some((one) => allowing[scope].includes(one)) ? null : 'scope-missing'

const askersOf = (server: TestServer): readonly Asker[] => {
  const { store } = server.site
  const expired = makeToken(
    { name: 'expired', scopes: ['admin'], expires: '1m' },
    { ...server.site, now: () => 0, newId: () => 'expired' },
  )
  const revoked = server.token('admin')
  store.tokens.revoke(store.tokens.list().at(-1)?.id ?? '')
  const unknown = server.token('admin').replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  const locally = ({ scope, method }: Operation): string | null =>
    scope === 'open' || (scope === 'read' && method === 'get') ? null : 'token-missing'
  const nowhere = withToken('token-missing')
  return [
    { who: 'nobody at this machine', refusal: locally },
    { who: 'nobody, with an empty token', headers: { authorization: 'Bearer ' }, refusal: locally },
    { who: 'nobody at ::ffff:127.0.0.1', remoteAddress: '::ffff:127.0.0.1', refusal: locally },
    { who: 'nobody elsewhere', remoteAddress: elsewhere, refusal: nowhere },
    { who: 'a proxy here', headers: { 'x-forwarded-for': elsewhere }, refusal: nowhere },
    { who: 'another proxy', headers: { forwarded: `for=${elsewhere}` }, refusal: nowhere },
    ...scopes.flatMap((scope) => [
      { who: `scope ${scope}`, headers: server.by(server.token(scope)), refusal: asScopes(scope) },
      {
        ...{ who: `scope ${scope} elsewhere`, headers: server.by(server.token(scope)) },
        ...{ remoteAddress: elsewhere, refusal: asScopes(scope) },
      },
    ]),
    {
      ...{ who: 'scopes run and worker', headers: server.by(server.token('run', 'worker')) },
      refusal: asScopes('run', 'worker'),
    },
    {
      ...{ who: "the server's own worker", headers: server.by(ownWorkerToken) },
      refusal: asScopes('worker'),
    },
    { who: 'expired', headers: server.by(expired.token), refusal: withToken('token-expired') },
    { who: 'revoked', headers: server.by(revoked), refusal: withToken('token-revoked') },
    { who: 'unknown', headers: server.by(unknown), refusal: withToken('token-unknown') },
    {
      ...{ who: 'a password', headers: { authorization: 'Basic YTpi' } },
      refusal: withToken('token-unknown'),
    },
  ]
}

/** What was answered: the code of a refusal, or null. A stream is left as soon as it has begun. */
const answerTo = async (
  server: TestServer,
  { method, path }: Operation,
  { headers = {}, remoteAddress = '127.0.0.1' }: Asker,
): Promise<string | null> => {
  const answer = await server.app.inject({
    ...{ method, url: path.replace(/\{\w+\}/g, 'none'), headers, remoteAddress },
    ...(method === 'get' ? {} : { payload: {} }),
    payloadAsStream: true,
  })
  if (answer.statusCode !== 401 && answer.statusCode !== 403) {
    answer.stream().destroy()
    return null
  }
  let text = ''
  for await (const part of answer.stream()) text += String(part)
  return z.object({ code: z.string() }).parse(JSON.parse(text)).code
}

describe('every route', () => {
  it('lets exactly those pass whom its scope allows, whoever asks', async () => {
    const server = await openServer((site) => ({ ...site, isPublic: true }))
    const operations = await operationsOf(server)
    expect(operations.length).toBeGreaterThan(30)
    const wrong: string[] = []
    for (const asker of askersOf(server)) {
      for (const operation of operations) {
        const expected = asker.refusal(operation)
        const found = await answerTo(server, operation, asker)
        if (found === expected) continue
        wrong.push(`${asker.who}: ${operation.method} ${operation.path}: ${found}, not ${expected}`)
      }
    }
    expect(wrong).toEqual([])
    expect(server.errors).toEqual([])
  })

  it('asks for a token that allows more than looking, but for planning and for being alive', async () => {
    const server = await openServer()
    const easy = (await operationsOf(server)).filter(
      ({ scope, method }) => scope === 'open' || (scope === 'read' && method !== 'get'),
    )
    expect(easy.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...['get /api/v1/health/live', 'post /api/v1/plan'],
    ])
  })
})

describe('a route that declares no scope', () => {
  it('cannot be added', async () => {
    const { app, site } = await openServer()
    const forgetful: Parameters<typeof buildApp>[2] = [
      (api) => void api.get('/forgotten', async () => ({ secret: true })),
    ]
    await expect(buildApp(site, app.log, forgetful)).rejects.toThrow(
      'GET /api/v1/forgotten declares no scope',
    )
  })
})

describe('a refusal', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await openServer()
  })

  it('says what it takes, and how to send it', async () => {
    const missing = await server.app.inject({ method: 'POST', url: '/api/v1/runs', payload: {} })
    const { detail } = expectProblem(missing, 401, 'token-missing')
    expect(detail).toContain('`run`')
    expect(detail).toContain('assay token create')
    expect(missing.headers['www-authenticate']).toBe('Bearer realm="assay"')
  })

  it('of a token that is none is a challenge, and does not tell it back', async () => {
    const answer = await server.get('/runs', server.by('assay_secret'))
    expectProblem(answer, 401, 'token-unknown')
    expect(answer.body).not.toContain('assay_secret')
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="assay", error="invalid_token"')
  })

  it('of a scope names the one that is needed', async () => {
    const answer = await server.send('POST', '/runs', {}, server.token('review'))
    const { detail, details } = expectProblem(answer, 403, 'scope-missing')
    expect(detail).toContain('`run`')
    expect(details).toEqual({ needed: 'run', scopes: ['review'] })
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="assay", error="insufficient_scope", scope="run"',
    )
  })

  it('comes before anything of the request is looked at', async () => {
    const answer = await server.app.inject({
      ...{ method: 'POST', url: '/api/v1/runs', payload: '{"yaml": ' },
      headers: { 'content-type': 'application/json' },
    })
    expectProblem(answer, 401, 'token-missing')
  })

  it('hides from who may not look whether there is such a route', async () => {
    const asked = async (url: string, remoteAddress: string) =>
      server.app.inject({ url, remoteAddress, headers: { host: 'localhost' } })
    expectProblem(await asked('/api/v1/nothing', elsewhere), 401, 'token-missing')
    expectProblem(await asked('/api/v1/nothing', '127.0.0.1'), 404, 'not-found')
    expectProblem(await asked('/nothing', elsewhere), 401, 'token-missing')
  })
})

describe('a name that is not this machine', () => {
  const host = 'bench.example:8443'

  it('is served to who has a token, as behind a proxy', async () => {
    const server = await openServer()
    expectProblem(await server.get('/runs', { host }), 421, 'host-refused')
    expect((await server.get('/runs', { host, ...server.by() })).statusCode).toBe(200)
    const origin = 'https://bench.example:8443'
    const page = await server.get('/runs', { host, origin, ...server.by() })
    expect(page.statusCode).toBe(200)
    const foreign = { host, origin: 'https://evil.example', ...server.by() }
    expectProblem(await server.get('/runs', foreign), 403, 'origin-refused')
  })

  it('shows nothing without a token, also from this machine, where other machines are served', async () => {
    const server = await openServer((site) => ({ ...site, isPublic: true }))
    expectProblem(await server.get('/runs', { host }), 401, 'token-missing')
    expect((await server.get('/health/live', { host })).statusCode).toBe(200)
  })
})
