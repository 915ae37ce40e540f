/** What the API refuses, and that every refusal is problem+json with a stable code. */
import { describe, expect, it } from 'vitest'
import { expectProblem, openServer, yaml } from './open-server.ts'

describe('a page of another site', () => {
  it.each([
    'evil.example',
    'evil.example:7357',
    '127.0.0.1.evil.example',
    'localhost@evil',
    'localhost:80:80',
  ])('is refused by its Host header "%s", whatever it asks for', async (host) => {
    const server = await openServer()
    for (const path of ['/runs', '/openapi.json', '/no-such-thing']) {
      expectProblem(await server.get(path, { host }), 421, 'host-refused')
    }
  })

  it.each(['127.0.0.1', 'localhost:7357', 'LOCALHOST', '[::1]:80'])(
    'is not what asks with the Host header "%s"',
    async (host) => {
      const server = await openServer()
      expect((await server.get('/runs', { host })).statusCode).toBe(200)
    },
  )

  it('is refused by its Origin header, also for a post that needs no body', async () => {
    const server = await openServer()
    const id = await server.start()
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000']) {
      const answer = await server.app.inject({
        ...{ method: 'POST', url: `/api/v1/runs/${id}/cancel` },
        headers: { host: 'localhost:7357', origin, ...server.by() },
      })
      expectProblem(answer, 403, 'origin-refused')
    }
    const own = { host: 'localhost:7357', origin: 'http://localhost:7357' }
    expect((await server.get('/runs', own)).statusCode).toBe(200)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'cannot post a simple form: %s is refused',
    async (type) => {
      const server = await openServer()
      const answer = await server.app.inject({
        ...{ method: 'POST', url: '/api/v1/runs', payload: JSON.stringify({ yaml }) },
        headers: { 'content-type': type, ...server.by() },
      })
      expectProblem(answer, 415, 'media-type-unsupported')
    },
  )
})

describe('a request that cannot be served', () => {
  it('is told that there is no such route', async () => {
    const server = await openServer()
    expectProblem(await server.get('/nothing-here'), 404, 'not-found')
    expectProblem(await server.send('POST', '/health/live', {}), 404, 'not-found')
  })

  it('is refused when its URL cannot be read', async () => {
    const server = await openServer()
    expectProblem(await server.get('/runs/%zz'), 400, 'request-invalid')
    expectProblem(await server.get(`/runs/${'x'.repeat(500)}`), 414, 'url-too-long')
  })

  it('is refused when its body is larger than any campaign or round', async () => {
    const server = await openServer()
    const answer = await server.send('POST', '/runs', { yaml: 'x'.repeat(17 * 1024 * 1024) })
    expectProblem(answer, 413, 'body-too-large')
  })

  it('is refused when its body is no JSON', async () => {
    const server = await openServer()
    const answer = await server.app.inject({
      ...{ method: 'POST', url: '/api/v1/runs', payload: '{"yaml": ' },
      headers: { 'content-type': 'application/json', ...server.by() },
    })
    expectProblem(answer, 400, 'request-invalid')
  })

  it('is told each place where it does not fit', async () => {
    const server = await openServer()
    const answer = await server.send('POST', '/blocks/next', { pool: 1, waitMillis: -1, more: 0 })
    const { details } = expectProblem(answer, 400, 'request-invalid')
    expect(details).toMatchObject({ issues: [{ path: '/pool' }, { path: '/waitMillis' }, {}] })
  })
})

describe('what is wrong with a request', () => {
  it.each([
    ['/runs?limit=x', 'the query does not fit: limit: expected number'],
    ['/runs?limit=0', 'the query does not fit: limit: Too small: expected number to be >=1'],
    ['/runs?foo=1', 'the query does not fit: Unrecognized key: "foo"'],
    ['/runs?label=nonsense', 'the query does not fit: label: write KEY:VALUE'],
    ['/runs/latest/events?after=x', 'the query does not fit: after: expected number'],
  ])('is said in a sentence: GET %s', async (path, detail) => {
    const server = await openServer()
    expect(expectProblem(await server.get(path), 400, 'request-invalid').detail).toBe(detail)
  })

  it.each([
    [{}, 'the body does not fit: give either `campaign`, a name, or `yaml`, a text'],
    [
      { campaign: 'known', yaml },
      'the body does not fit: give either `campaign`, a name, or `yaml`, a text',
    ],
    [{ yaml, only: ['x'] }, 'the body does not fit: only.0: write KEY=VALUE'],
    [{ yaml, rounds: { min: 3, max: 2 } }, 'the body does not fit: rounds: min is at most max'],
    [{ yaml, labels: { 'a b': 'c' } }, 'the body does not fit: labels.a b: Invalid key in record'],
    [
      { yaml, priority: -1 },
      'the body does not fit: priority: Too small: expected number to be >=0',
    ],
    [
      { yaml, pool: 'no pool' },
      'the body does not fit: pool: letters, digits and . _ -, at most 64',
    ],
  ])('is said in a sentence: POST /runs %j', async (body, detail) => {
    const server = await openServer()
    const answer = await server.send('POST', '/runs', body)
    expect(expectProblem(answer, 400, 'request-invalid').detail).toBe(detail)
  })
})

describe('an answer of ours that does not fit its schema', () => {
  it('is not sent: the client sees a 500 that tells nothing, the log says what', async () => {
    const server = await openServer((site) => {
      const { runs } = site.store
      const broken = {
        ...runs,
        progress: (id: string) => ({ ...runs.progress(id), createdAt: Number.NaN }),
      }
      return { ...site, store: { ...site.store, runs: broken } }
    })
    const id = await server.start()
    const { detail } = expectProblem(await server.get(`/runs/${id}`), 500, 'internal')
    expect(detail).not.toContain('createdAt')
    expect(server.errors).toMatchObject([{ err: { code: 'FST_ERR_RESPONSE_SERIALIZATION' } }])
  })
})
