/** Workers and pools over HTTP. */
import {
  assayVersion,
  listPoolsResponseSchema,
  listWorkersResponseSchema,
  registerWorkerResponseSchema,
  workProtocol,
} from '@assay/model'
import { describe, expect, it } from 'vitest'
import { aFingerprint } from '../../support/builders.ts'
import { expectProblem, openServer, yaml } from './open-server.ts'

const worker = {
  ...{ name: 'tests', pool: 'default', version: assayVersion, protocol: workProtocol },
  fingerprint: aFingerprint(),
}

describe('a worker', () => {
  it('registers, is told its lease, and is listed with what it measures', async () => {
    const server = await openServer()
    const answer = await server.send('POST', '/workers', worker)
    expect(registerWorkerResponseSchema.parse(answer.json())).toMatchObject({
      ...{ name: 'tests', pool: 'default', leaseMillis: 60_000 },
    })
    const list = async () =>
      listWorkersResponseSchema.parse((await server.get('/workers')).json()).workers
    expect(await list()).toMatchObject([{ name: 'tests', alive: true, block: null }])
    const id = await server.start()
    await server.take(id)
    expect(await list()).toMatchObject([{ block: { runId: id, blockId: 'b1' } }])
  })

  it.each([
    ['another version', { version: '0.0.9' }],
    ['another protocol', { protocol: workProtocol + 1 }],
  ])('of %s is refused, and told both and what to do', async (_what, change) => {
    const server = await openServer()
    const answer = await server.send('POST', '/workers', { ...worker, ...change })
    const { detail } = expectProblem(answer, 409, 'worker-version-differs')
    expect(detail).toContain(`Assay ${'version' in change ? change.version : assayVersion}`)
    expect(detail).toContain(`this server ${assayVersion}`)
    expect(detail).toContain('install')
    expect((await server.get('/workers')).json()).toEqual({ workers: [] })
  })

  it('is seen when it asks for a block', async () => {
    let now = 1_000_000
    const server = await openServer(
      (site) => site,
      () => now,
    )
    await server.send('POST', '/workers', worker)
    now += 100_000
    const alive = async () =>
      listWorkersResponseSchema.parse((await server.get('/workers')).json()).workers[0]?.alive
    expect(await alive()).toBe(false)
    await server.send('POST', '/blocks/next', { pool: 'default', worker: 'tests', waitMillis: 0 })
    expect(await alive()).toBe(true)
  })
})

describe('a pool', () => {
  const next = async (server: Awaited<ReturnType<typeof openServer>>, pool: string) =>
    (await server.send('POST', '/blocks/next', { pool, waitMillis: 0 })).json<{ block: unknown }>()
      .block

  it('gets the blocks of the campaigns that name it', async () => {
    const server = await openServer()
    await server.send('POST', '/runs', { yaml: `${yaml}pool: [arm, x86]\n` })
    const { pools } = listPoolsResponseSchema.parse((await server.get('/pools')).json())
    expect(pools.map(({ pool, waiting }) => [pool, waiting])).toEqual([
      ['arm', 1],
      ['x86', 1],
    ])
    expect(await next(server, 'default')).toBeNull()
    expect(await next(server, 'x86')).toEqual({ runId: 'run1', blockId: 'b2' })
  })

  it('that is paused hands out nothing until it is resumed', async () => {
    const server = await openServer()
    const id = await server.start()
    expect((await server.send('POST', '/pools/default/pause')).json()).toEqual({
      ...{ pool: 'default', waiting: 1, measuring: 0, paused: true, workers: 0 },
    })
    expect(await next(server, 'default')).toBeNull()
    expect((await server.send('POST', '/pools/default/resume')).json()).toMatchObject({
      paused: false,
    })
    expect(await next(server, 'default')).toEqual({ runId: id, blockId: 'b1' })
    expectProblem(await server.send('POST', '/pools/no%20pool/pause'), 400, 'request-invalid')
  })

  it('is drained once what was being measured has ended', async () => {
    const server = await openServer()
    const id = await server.start()
    const token = await server.take(id)
    const drain = (waitMillis: number) =>
      server.send('POST', '/pools/default/drain', { waitMillis })
    expect((await drain(0)).json()).toMatchObject({ paused: true, measuring: 1, drained: false })
    const waiting = drain(30_000)
    await server.send('POST', `/runs/${id}/blocks/b1/release`, { token })
    expect((await waiting).json()).toMatchObject({ measuring: 0, waiting: 1, drained: true })
  })
})
