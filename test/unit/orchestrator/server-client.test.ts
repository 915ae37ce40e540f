import { createServer, type Server } from 'node:http'
import { httpSink } from '@assay/orchestrator'
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

const take = (url: string) =>
  httpSink({ url, stop: new AbortController().signal }).take(
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
