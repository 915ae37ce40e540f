/** The workers' side: asking for a block, taking it, saving rounds, ending it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { digestOf } from '@assay/model'
import { type NextRequest, openEmbeddedCourier } from '@assay/queue'
import { describe, expect, it, vi } from 'vitest'
import { aFingerprint } from '../../support/builders.ts'
import { expectProblem, openServer, roundOf, type TestServer } from './open-server.ts'

const ask = (server: TestServer, waitMillis = 30_000) =>
  server.send('POST', '/blocks/next', { pool: 'default', waitMillis })

const cells = [
  { cellId: 'b1.c1', status: 'measured', reason: null },
  { cellId: 'b1.c2', status: 'measured', reason: null },
]

describe('a block', () => {
  it('is taken once; another worker is refused and told by whom it is held', async () => {
    const server = await openServer()
    const id = await server.start()
    await server.take(id)
    const by = { worker: 'another', fingerprint: aFingerprint({ digest: 'host-2' }) }
    const answer = await server.send('POST', `/runs/${id}/blocks/b1/take`, by)
    expect(expectProblem(answer, 409, 'take-held').details).toMatchObject({ worker: 'tests' })
    const unknown = await server.send('POST', `/runs/${id}/blocks/b9/take`, by)
    expectProblem(unknown, 404, 'block-not-found')
  })

  it('keeps its lease while it is renewed', async () => {
    const server = await openServer()
    const token = await server.take(await server.start())
    const answer = await server.send('POST', '/takes/renew', { token })
    expect(answer.json()).toMatchObject({ cancelled: false })
    expectProblem(await server.send('POST', '/takes/renew', { token: 'x' }), 410, 'take-stale')
  })

  it('ends its run with its last block, and finishing again changes nothing', async () => {
    const server = await openServer()
    const id = await server.start()
    await ask(server)
    const token = await server.take(id)
    await server.putRound(id, token, roundOf(1))
    const finish = () =>
      server.send('POST', `/runs/${id}/blocks/b1/finish`, { token, stopReason: 'rounds', cells })
    expect((await finish()).statusCode).toBe(200)
    expect((await server.get(`/runs/${id}`)).json()).toMatchObject({ status: 'complete' })
    expect((await finish()).statusCode).toBe(200)
    expect((await ask(server, 0)).json()).toEqual({ block: null })
    const by = { worker: 'late', fingerprint: aFingerprint() }
    const late = await server.send('POST', `/runs/${id}/blocks/b1/take`, by)
    expectProblem(late, 409, 'run-terminal')
  })

  it('cannot end without its cells', async () => {
    const server = await openServer()
    const id = await server.start()
    const token = await server.take(id)
    const path = `/runs/${id}/blocks/b1/finish`
    const answer = await server.send('POST', path, { token, stopReason: 'rounds', cells: [] })
    expectProblem(answer, 400, 'finish-incomplete')
  })

  it('that is released goes to whoever asks next, with its rounds', async () => {
    const server = await openServer()
    const id = await server.start()
    await ask(server)
    const token = await server.take(id)
    await server.putRound(id, token, roundOf(1))
    const waiting = ask(server)
    await server.send('POST', `/runs/${id}/blocks/b1/release`, { token })
    expect((await waiting).json()).toEqual({ block: { runId: id, blockId: 'b1' } })
    expect(await server.putRound(id, token, roundOf(2))).toBe(410)
    const again = await server.send('POST', `/runs/${id}/blocks/b1/take`, {
      ...{ worker: 'next', fingerprint: aFingerprint() },
    })
    expect(again.json()).toMatchObject({ take: { savedRounds: 1 }, rounds: [{ number: 1 }] })
  })
})

describe('a round', () => {
  it('is created once: the same again is fine, another under its number is not', async () => {
    const server = await openServer()
    const id = await server.start()
    const token = await server.take(id)
    expect(await server.putRound(id, token, roundOf(1))).toBe(201)
    expect(await server.putRound(id, token, roundOf(1))).toBe(200)
    const path = `/runs/${id}/blocks/b1/rounds/1`
    const round = { ...roundOf(1), samples: roundOf(1).samples.slice(0, 1) }
    const other = await server.send('PUT', path, { token, digest: digestOf(round), round })
    expectProblem(other, 409, 'round-conflict')
    const stale = { token: 'stale', digest: digestOf(round), round }
    expectProblem(await server.send('PUT', path, stale), 410, 'take-stale')
    expect((await server.get(`/runs/${id}`)).json()).toMatchObject({ samples: 2 })
  })

  it('whose digest is not its own is refused, and nothing of it is saved', async () => {
    const server = await openServer()
    const id = await server.start()
    const token = await server.take(id)
    const body = { token, digest: digestOf(roundOf(2)), round: roundOf(1) }
    const answer = await server.send('PUT', `/runs/${id}/blocks/b1/rounds/1`, body)
    expectProblem(answer, 400, 'round-digest-wrong')
    expect((await server.get(`/runs/${id}`)).json()).toMatchObject({ samples: 0 })
  })

  it('belongs at the path of its number', async () => {
    const server = await openServer()
    const id = await server.start()
    const token = await server.take(id)
    const body = { token, digest: 'any', round: roundOf(2) }
    const answer = await server.send('PUT', `/runs/${id}/blocks/b1/rounds/1`, body)
    expectProblem(answer, 400, 'round-mismatch')
  })
})

describe('a token', () => {
  it('writes to its own block alone', async () => {
    const server = await openServer()
    const mine = await server.start()
    const foreign = await server.start()
    const token = await server.take(mine)
    const path = `/runs/${foreign}/blocks/b1`
    const round = { token, digest: digestOf(roundOf(1)), round: roundOf(1) }
    expectProblem(await server.send('PUT', `${path}/rounds/1`, round), 400, 'take-foreign')
    const end = { token, stopReason: 'rounds', cells }
    expectProblem(await server.send('POST', `${path}/finish`, end), 400, 'take-foreign')
    expectProblem(await server.send('POST', `${path}/release`, { token }), 400, 'take-foreign')
    expect((await server.get(`/runs/${mine}`)).json()).toMatchObject({ samples: 0 })
    expect(server.site.store.blocks.get(mine, 'b1').status).toBe('taken')
    expect(await server.putRound(mine, token, roundOf(1))).toBe(201)
  })
})

describe('a worker that waits', () => {
  it('hears of a block when its run starts, long before its time is up', async () => {
    const server = await openServer()
    const beganAt = performance.now()
    const waiting = ask(server, 60_000)
    await sleep(20)
    const id = await server.start()
    expect((await waiting).json()).toEqual({ block: { runId: id, blockId: 'b1' } })
    expect(performance.now() - beganAt).toBeLessThan(30_000)
  })

  it('hears of nothing when its time is up or the server ends', async () => {
    const server = await openServer()
    expect((await ask(server, 10)).json()).toEqual({ block: null })
    const waiting = ask(server, 60_000)
    await sleep(20)
    await server.site.courier.close()
    expect((await waiting).json()).toEqual({ block: null })
  })

  it('and goes away leaves its block to the next', async () => {
    const server = await openServer()
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const askOverWire = (signal: AbortSignal) =>
      fetch(`${url}/api/v1/blocks/next`, {
        ...{
          method: 'POST',
          headers: { 'content-type': 'application/json', ...server.by() },
          signal,
        },
        body: JSON.stringify({ pool: 'default', waitMillis: 60_000 }),
      })
    const next = vi.spyOn(server.site.courier, 'next')
    const leaving = new AbortController()
    const left = askOverWire(leaving.signal).catch(() => 'gone')
    await vi.waitFor(() => expect(next).toHaveBeenCalledTimes(1))
    leaving.abort()
    expect(await left).toBe('gone')
    // Its wait is over on the server, too: the block is not handed to nobody.
    await next.mock.results[0]?.value
    const id = await server.start()
    const answer = await askOverWire(AbortSignal.timeout(20_000))
    expect(await answer.json()).toEqual({ block: { runId: id, blockId: 'b1' } })
  })

  it('and goes away at the moment of delivery has the delivery given back', async () => {
    const leaving = new AbortController()
    const server = await openServer((site) => {
      const courier = openEmbeddedCourier({ store: site.store })
      const next = async (request: NextRequest) => {
        const delivery = await courier.next(request)
        leaving.abort()
        // The server learns of it a moment after the courier has decided.
        await sleep(50)
        return delivery
      }
      return { ...site, courier: { ...courier, next } }
    })
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const id = await server.start()
    const body = JSON.stringify({ pool: 'default', waitMillis: 1000 })
    const headers = { 'content-type': 'application/json', ...server.by() }
    const path = `${url}/api/v1/blocks/next`
    await fetch(path, { method: 'POST', headers, body, signal: leaving.signal }).catch(() => null)
    await vi.waitFor(async () => expect(await server.site.courier.depth()).toBe(1))
    expect((await ask(server)).json()).toEqual({ block: { runId: id, blockId: 'b1' } })
  })
})
