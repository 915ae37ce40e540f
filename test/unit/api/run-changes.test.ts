/** What becomes of a run over HTTP: asked for twice, prioritized, gone on with, run again, marked. */
import { reportSchema, runProgressSchema, runSchema, startRunResponseSchema } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { expectProblem, openServer, roundOf, type TestServer, yaml } from './open-server.ts'

const startWith = async (server: TestServer, key: string, body: object, path = '/runs') =>
  server.app.inject({
    ...{ method: 'POST', url: `/api/v1${path}`, payload: body },
    headers: { 'idempotency-key': key, ...server.by() },
  })

const look = async (server: TestServer, run: string) =>
  runProgressSchema.parse((await server.get(`/runs/${run}`)).json())

/** Measures the run's block so that its second cell failed. */
const failSecondCell = async (server: TestServer, id: string): Promise<void> => {
  const token = await server.take(id)
  const { samples, ...round } = roundOf(1)
  const bad = samples.map((sample, at) =>
    at === 1
      ? { ...sample, outcome: 'failed' as const, exitCode: 1, stderr: 'abort: no repository' }
      : sample,
  )
  expect(await server.putRound(id, token, { ...round, samples: bad })).toBe(201)
  const cells = [
    { cellId: 'b1.c1', status: 'measured', reason: null },
    { cellId: 'b1.c2', status: 'failed', reason: '1 sample failed' },
  ]
  const end = { token, stopReason: 'rounds', cells }
  expect((await server.send('POST', `/runs/${id}/blocks/b1/finish`, end)).statusCode).toBe(200)
}

describe('a run that is asked for', () => {
  it('twice is two runs', async () => {
    const server = await openServer()
    expect([await server.start(), await server.start()]).toEqual(['run1', 'run2'])
  })

  it('twice under one Idempotency-Key is one run, also when both come at once', async () => {
    const server = await openServer()
    const answers = await Promise.all(
      [1, 2, 3].map(() => startWith(server, 'k', { campaign: 'known' })),
    )
    answers.push(await startWith(server, 'k', { campaign: 'known' }))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 201])
    const bodies = answers.map((answer) => startRunResponseSchema.parse(answer.json()))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect((await server.get('/runs')).json<{ runs: unknown[] }>().runs).toHaveLength(1)
  })

  it('under a key that stands for another request is refused', async () => {
    const server = await openServer()
    await startWith(server, 'k', { yaml })
    for (const body of [{ yaml, seed: 's' }, { campaign: 'known' }]) {
      const { detail } = expectProblem(
        await startWith(server, 'k', body),
        422,
        'idempotency-key-reused',
      )
      expect(detail).toContain('run1')
    }
    expect((await startWith(server, 'other', { yaml, seed: 's' })).statusCode).toBe(201)
  })

  it('whose request was faulty can be asked for again under the same key', async () => {
    const server = await openServer()
    expectProblem(await startWith(server, 'k', { campaign: 'unknown' }), 404, 'campaign-unknown')
    expect((await startWith(server, 'k', { campaign: 'known' })).statusCode).toBe(201)
  })

  it('with overrides and labels has them, and says where it is', async () => {
    const server = await openServer()
    const body = {
      yaml,
      quick: true,
      seed: 's',
      pool: 'arm',
      labels: { branch: 'default' },
      priority: 3,
    }
    const answer = await server.send('POST', '/runs', body)
    expect(answer.headers['location']).toBe('/api/v1/runs/run1')
    expect(await look(server, 'run1')).toMatchObject({
      ...{ seed: 's', labels: { branch: 'default' }, priority: 3, invalid: null },
    })
    const { plan } = server.site.store.runs.get('run1')
    expect(plan).toMatchObject({ sampling: { rounds: { max: 5 } }, blocks: [{ pool: 'arm' }] })
  })

  it('is measured in the order of priorities, the smaller first', async () => {
    const server = await openServer()
    for (const priority of [5, 0, 9, 1]) await server.send('POST', '/runs', { yaml, priority })
    const order: string[] = []
    for (let count = 0; count < 4; count += 1) {
      const answer = await server.send('POST', '/blocks/next', { pool: 'default', waitMillis: 0 })
      order.push(answer.json<{ block: { runId: string } }>().block.runId)
    }
    expect(order).toEqual(['run2', 'run4', 'run1', 'run3'])
  })
})

describe('a list of runs', () => {
  it('can be of one status, campaign or label', async () => {
    const server = await openServer()
    await server.send('POST', '/runs', { campaign: 'known', labels: { branch: 'a:b' } })
    await server.send('POST', '/runs', { yaml })
    await server.send('POST', '/runs/run2/cancel')
    const idsOf = async (query: string) =>
      (await server.get(`/runs?${query}`))
        .json<{ runs: { id: string }[] }>()
        .runs.map(({ id }) => id)
    expect(await idsOf('label=branch:a:b')).toEqual(['run1'])
    expect(await idsOf('label=branch:c')).toEqual([])
    expect(await idsOf('status=cancelled')).toEqual(['run2'])
    expect(await idsOf('campaign=known&status=planned')).toEqual(['run1'])
    expectProblem(await server.get('/runs?status=done'), 400, 'request-invalid')
  })
})

describe('a run that goes on', () => {
  it('has what a dead worker held queued again at once; a living worker keeps its block', async () => {
    let now = 1_000_000
    const server = await openServer(
      (site) => site,
      () => now,
    )
    const id = await server.start()
    const token = await server.take(id)
    const resumed = await server.send('POST', `/runs/${id}/resume`)
    expect(runSchema.parse(resumed.json()).id).toBe(id)
    expect(await server.putRound(id, token, roundOf(1))).toBe(201)
    now += 61_000
    await server.send('POST', `/runs/${id}/resume`)
    expect(await server.putRound(id, token, roundOf(2))).toBe(410)
    expect(server.site.store.blocks.get(id, 'b1').status).toBe('queued')
    await server.send('POST', `/runs/${id}/cancel`)
    expectProblem(await server.send('POST', `/runs/${id}/resume`), 409, 'run-terminal')
  })
})

describe('a run that is measured again', () => {
  it('is a new run of the same plan: all of it, or what failed', async () => {
    const server = await openServer()
    const id = await server.start()
    expectProblem(
      await server.send('POST', `/runs/${id}/rerun`, { failed: true }),
      400,
      'nothing-failed',
    )
    await failSecondCell(server, id)
    const again = await startWith(server, 'r', { failed: true, name: 'again' }, `/runs/${id}/rerun`)
    expect(again.statusCode).toBe(201)
    const repeated = await startWith(
      server,
      'r',
      { failed: true, name: 'again' },
      `/runs/${id}/rerun`,
    )
    expect({ status: repeated.statusCode, body: repeated.json<unknown>() }).toEqual({
      ...{ status: 200, body: again.json<unknown>() },
    })
    expect(await look(server, 'again')).toMatchObject({ status: 'planned', cells: { total: 2 } })
    expect(await look(server, id)).toMatchObject({ status: 'complete' })
  })
})

describe('a run that is marked invalid', () => {
  it('keeps its numbers, and says why before anything else, until that is taken back', async () => {
    const server = await openServer()
    const id = await server.start()
    await failSecondCell(server, id)
    const reason = 'the fan was broken'
    const marked = await server.send('POST', `/runs/${id}/invalid`, { reason })
    expect(runSchema.parse(marked.json()).invalid?.reason).toBe(reason)
    const report = async () =>
      reportSchema.parse((await server.get(`/runs/${id}/report?format=json`)).json())
    expect((await report()).run.invalid?.reason).toBe(reason)
    expect((await report()).warnings[0]).toMatchObject({ code: 'run-invalid' })
    expect((await server.get(`/runs/${id}/report`)).body).toContain(reason)
    expect(await look(server, 'latest')).toMatchObject({ samples: 2, invalid: { reason } })
    expectProblem(
      await server.send('POST', `/runs/${id}/invalid`, { reason: ' ' }),
      400,
      'request-invalid',
    )
    await server.send('POST', `/runs/${id}/valid`)
    expect(await report()).not.toHaveProperty('run.invalid')
    expect(await look(server, id)).toMatchObject({ invalid: null })
  })
})

describe('a block that failed', () => {
  it('is shown with its attempts, its reasons and the stderr of what failed', async () => {
    const server = await openServer()
    const id = await server.start()
    await failSecondCell(server, id)
    const { blocks } = (await server.get(`/runs/${id}/blocks`)).json<{ blocks: unknown[] }>()
    expect(blocks).toMatchObject([
      {
        ...{ blockId: 'b1', status: 'done', attempts: 1, pool: 'default' },
        take: { number: 1, worker: 'tests', savedRounds: 1, leaseUntil: null },
        failures: [{ cellId: 'b1.c2', reason: '1 sample failed', stderr: 'abort: no repository' }],
      },
    ])
    expect((await server.get(`/runs/${id}/blocks/b1`)).json()).toEqual(blocks[0])
    expect((await server.get(`/runs/${id}/blocks/b1/takes`)).json()).toMatchObject({
      takes: [{ number: 1, judged: true, attempts: [{ worker: 'tests', endedAt: null }] }],
    })
    expectProblem(await server.get(`/runs/${id}/blocks/b9`), 404, 'block-not-found')
    expectProblem(await server.get(`/runs/${id}/blocks/b9/takes`), 404, 'block-not-found')
  })

  it('has cells, samples and comparisons of its own', async () => {
    const server = await openServer()
    const id = await server.start()
    await failSecondCell(server, id)
    expect((await server.get(`/runs/${id}/cells/b1.c2`)).json()).toMatchObject({
      ...{ cellId: 'b1.c2', status: 'failed', goodSamples: 0, samples: 1 },
      ...{ headings: { 'benchmark.name': 'hg.command.log' }, planned: { mode: 'mmap-populate' } },
    })
    expectProblem(await server.get(`/runs/${id}/cells/b1.c9`), 404, 'cell-not-found')
    const samples = (await server.get(`/runs/${id}/samples?cell=b1.c2`)).json<{
      samples: object[]
    }>()
    expect(samples.samples).toMatchObject([{ cellId: 'b1.c2', outcome: 'failed' }])
    expectProblem(await server.get(`/runs/${id}/samples?cell=b9`), 404, 'cell-not-found')
    const rows = (await server.get(`/runs/${id}/comparisons`)).json()
    expect(rows).toMatchObject({
      metric: { name: 'wallSeconds' },
      comparisons: [
        { cellId: 'b1.c2', baseline: { label: 'before' }, comparison: { verdict: 'failed' } },
      ],
    })
    expect((await server.get(`/runs/${id}/comparisons?metric=minorFaults`)).json()).toMatchObject({
      metric: { name: 'minorFaults' },
    })
    expectProblem(
      await server.get(`/runs/${id}/comparisons?metric=nonsense`),
      400,
      'metric-unknown',
    )
  })
})

describe('a report', () => {
  it('that the client has is not sent again, in whatever format', async () => {
    const server = await openServer()
    const id = await server.start()
    const tags = new Set<unknown>()
    for (const format of ['full', 'compact', 'markdown', 'json', 'csv', 'html']) {
      const path = `/runs/${id}/report?format=${format}`
      const { etag = '' } = (await server.get(path)).headers
      expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
      tags.add(etag)
      const again = await server.get(path, { 'if-none-match': `"x", W/${etag}` })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    }
    expect(tags.size).toBe(6)
    const path = `/runs/${id}/report?format=json`
    const { etag = '' } = (await server.get(path)).headers
    await failSecondCell(server, id)
    expect((await server.get(path, { 'if-none-match': etag })).statusCode).toBe(200)
  })
})

describe('a server', () => {
  it('is ready when its store is writable and its queue answers', async () => {
    const server = await openServer()
    await server.start()
    expect((await server.get('/health/ready')).json()).toEqual({
      status: 'ready',
      waiting: 1,
      workers: 0,
    })
  })

  it('is not ready, and says why, when its queue does not answer', async () => {
    const server = await openServer((site) => ({
      ...site,
      courier: { ...site.courier, depth: () => Promise.reject(new Error('Redis is away')) },
    }))
    const { detail } = expectProblem(await server.get('/health/ready'), 503, 'not-ready')
    expect(detail).toContain('Redis is away')
  })
})
