/** Whatever is sent to whatever route: the server answers, with a problem where it refuses. */

import { problemSchema } from '@assay/model'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { aFingerprint } from '../../support/builders.ts'
import { openServer, roundOf, yaml } from './open-server.ts'

const documentSchema = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum(['get', 'post', 'put']), z.unknown())),
})

/** What a path or a query may hold: what there is, nearly so, and what breaks parsers. */
const segment = fc.oneof(
  fc.constantFrom('latest', '@-1', 'run1', 'b1', '1', '0', '-1', '1e9', '', '..', '%00', '%2e%2e'),
  fc.string({ unit: 'binary', maxLength: 20 }).map(encodeURIComponent),
  fc.constantFrom('__proto__', 'constructor', "' OR 1=1 --", 'x'.repeat(300)).map(encodeURI),
)

const query = fc.oneof(
  fc.constantFrom(
    '',
    '?limit=1',
    '?limit=NaN',
    '?limit=1&limit=2',
    '?cursor=1',
    '?cursor=1.2.3.4.5',
  ),
  fc.constantFrom('?format=json', '?format=', '?__proto__=1', '?cursor=999999999999999', '?%zz'),
  fc.webQueryParameters({ size: 'small' }).map((text) => `?${text}`),
)

/** Bodies that fit some route, and the same with any one value replaced. */
const fitting: readonly object[] = [
  { yaml },
  { campaign: 'known', name: 'n', seed: 's' },
  { pool: 'default', waitMillis: 0 },
  { worker: 'w', fingerprint: aFingerprint() },
  { token: 'token2' },
  { name: 'n', scopes: ['read'], expires: '1d' },
  { token: 'token2', digest: 'd', round: roundOf(1) },
  { token: 'token2', stopReason: 'rounds', cells: [] },
]
const evil = fc.oneof(
  fc.constantFrom<unknown>(null, -1, 1e308, 2 ** 53, '', [], {}, '\0', '\ud800', [[[]]]),
  fc.jsonValue({ maxDepth: 2 }),
)
const body = fc.oneof(
  fc.constantFrom(...fitting),
  fc
    .tuple(fc.constantFrom(...fitting), fc.nat(9), evil)
    .map(([fits, place, value]) =>
      Object.fromEntries(
        Object.entries(fits).map(([key, was], index) => [key, index === place ? value : was]),
      ),
    ),
  fc.jsonValue({ maxDepth: 3 }),
)

it('answers every request below 500, and says what is wrong as a problem', async () => {
  const server = await openServer()
  await server.take(await server.start('n'))
  const { paths } = documentSchema.parse((await server.get('/openapi.json')).json())
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      path,
      method: z.enum(['get', 'post', 'put']).parse(method),
    })),
  )
  expect(routes.length).toBeGreaterThanOrEqual(12)
  const request = fc.record({
    route: fc.constantFrom(...routes),
    segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
    query,
    body,
    accept: fc.oneof(fc.constantFrom('*/*', ';q=x', 'text/plain;q=2', ','), fc.string()),
  })
  const check = fc.asyncProperty(request, async ({ route, segments, query, body, accept }) => {
    let place = 0
    const filled = route.path.replace(/\{\w+\}/g, () => segments[place++] ?? '')
    const isWaiting = route.path.endsWith('/next')
    const answer = await server.app.inject({
      ...{ method: route.method, url: `${filled}${query}` },
      headers: {
        ...{ 'content-type': 'application/json', accept: accept.replace(/[^ -~]/g, '') },
        ...server.by(),
      },
      payload: JSON.stringify(isWaiting ? { pool: 'p', waitMillis: 0, ...asObject(body) } : body),
    })
    expect(server.errors).toEqual([])
    expect(answer.statusCode).toBeLessThan(500)
    if (answer.statusCode >= 400) {
      expect(problemSchema.parse(answer.json()).status).toBe(answer.statusCode)
    }
  })
  // Bounded by time on a busy machine, by number on a fast one.
  await fc.assert(check, { numRuns: 600, interruptAfterTimeLimit: 8_000, seed: 20 })
})

/** What a long poll must not take over: a wait of a minute. */
const asObject = (value: unknown): object =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? { ...value, waitMillis: 0 }
    : {}
