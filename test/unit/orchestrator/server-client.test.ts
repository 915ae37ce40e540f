import { createServer, type Server } from 'node:http'
import { httpCourier, httpSink, openServerLink } from '@assay/orchestrator'
import { afterEach, describe, expect, it } from 'vitest'
import { aFingerprint } from '../../support/builders.ts'

let server: Server | null = null
afterEach(() => server?.close())

/** A server that gives one answer to everything; gives its address. */
const answering = (status: number, body: string): Promise<string> =>
  new Promise((resolve) => {
    server = createServer((_request, response) => {
      response.statusCode = status
      response.end(body)
    }).listen(0, '127.0.0.1', () => {
      const address = server?.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
    })
  })

const linkTo = (url: string, reached: (boolean | string)[] = []) =>
  openServerLink({
    ...{ url, stop: new AbortController().signal, random: () => 0 },
    onReach: (isReached, reason) => void reached.push(reason ?? isReached),
  })

const take = (url: string) =>
  httpSink(linkTo(url)).take(
    { runId: 'r', blockId: 'b1' },
    { worker: 'tests', fingerprint: aFingerprint() },
  )

describe('a worker', () => {
  it.each([
    ['the page of a proxy', 200, '<html>sign in</html>'],
    ['an error page', 404, 'nothing here'],
    ['an answer of another version', 200, '{"block": 7}'],
  ])('says that %s is no answer of Assay', async (_what, status, body) => {
    await expect(take(await answering(status, body))).rejects.toMatchObject({
      code: 'server-unintelligible',
    })
  })

  it("keeps the server's own code and kind when it refuses", async () => {
    const problem = {
      ...{ type: 'about:blank', title: 'take-stale', status: 410, code: 'take-stale' },
      ...{ detail: 'another holds it', details: {} },
    }
    await expect(take(await answering(410, JSON.stringify(problem)))).rejects.toMatchObject({
      code: 'take-stale',
      kind: 'gone',
    })
  })
})

describe('a server that is away and comes back', () => {
  /** Answers each request with the next of `answers`, or breaks the connection. */
  const playing = (answers: readonly (readonly [number, unknown] | 'broken')[]) => {
    const asked: string[] = []
    const url = new Promise<string>((resolve) => {
      server = createServer((request, response) => {
        const answer = answers[asked.length] ?? [200, { block: null }]
        asked.push(request.url ?? '')
        if (answer === 'broken') return void response.destroy()
        response.statusCode = answer[0]
        response.setHeader('connection', 'close')
        response.end(JSON.stringify(answer[1]))
      }).listen(0, '127.0.0.1', () => {
        const address = server?.address()
        resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
      })
    })
    return { url, asked }
  }
  const asker = { name: 'w1', pool: 'default', fingerprint: aFingerprint() }
  const accepted = [
    200,
    { name: 'w1', pool: 'default', leaseMillis: 60_000, version: '0.1.0', protocol: 1 },
  ] as const
  const idle = [200, { block: null }] as const
  const next = (courier: ReturnType<typeof httpCourier>) =>
    courier.next({ pool: 'default', waitMillis: 0 })

  it('is told once each, and the worker registers again', async () => {
    const { url, asked } = playing([accepted, idle, 'broken', [502, {}], idle, accepted, idle])
    const reached: (boolean | string)[] = []
    const courier = httpCourier(linkTo(await url, reached), asker)
    for (let time = 0; time < 3; time += 1) expect(await next(courier)).toBeNull()
    expect(reached).toEqual([false, true])
    const [ask, register] = ['/api/v1/blocks/next', '/api/v1/workers']
    expect(asked).toEqual([register, ask, ask, ask, ask, register, ask])
  })

  it('whose queue is full is asked again, and what it says is told', async () => {
    const problem = {
      ...{ type: 'about:blank', title: 'x', status: 503, code: 'queue-refused' },
      ...{ detail: 'Redis refused (OOM)', details: {} },
    }
    const { url } = playing([accepted, [503, problem], idle])
    const reached: (boolean | string)[] = []
    expect(await next(httpCourier(linkTo(await url, reached), asker))).toBeNull()
    expect(reached).toEqual(['Redis refused (OOM) [queue-refused]', true])
  })

  it('with another version ends the worker by name', async () => {
    const problem = {
      ...{ type: 'about:blank', title: 'x', status: 409, code: 'worker-version-differs' },
      ...{ detail: 'this worker is 0.1.0, the server 0.2.0', details: {} },
    }
    const { url } = playing([[409, problem]])
    await expect(next(httpCourier(linkTo(await url), asker))).rejects.toMatchObject({
      code: 'worker-version-differs',
    })
  })
})
