/** Runs over HTTP: started, listed, looked at, cancelled. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  listCellsResponseSchema,
  listRunsResponseSchema,
  listSamplesResponseSchema,
  runProgressSchema,
  runSchema,
  startRunResponseSchema,
} from '@assay/model'
import { describe, expect, it } from 'vitest'
import { expectProblem, openServer, roundOf, yaml } from './open-server.ts'

describe('starting a run', () => {
  it.each(['known', 'known.yaml'])('finds a campaign of the folder as %s', async (campaign) => {
    const server = await openServer()
    const answer = await server.send('POST', '/runs', { campaign, name: 'first', seed: 's' })
    expect(answer.statusCode).toBe(201)
    const started = startRunResponseSchema.parse(answer.json())
    expect(started).toEqual({ id: 'run1', blocks: 1, cells: 2 })
    expect((await server.get('/runs/run1')).json()).toMatchObject({ name: 'first', seed: 's' })
  })

  it('takes posted YAML', async () => {
    const server = await openServer()
    const answer = await server.send('POST', '/runs', { yaml })
    expect(answer.statusCode).toBe(201)
    const run = runProgressSchema.parse((await server.get('/runs/run1')).json())
    expect(run).toMatchObject({ status: 'planned', blocks: { total: 1, finished: 0 } })
  })

  it('names every mistake of a bad campaign', async () => {
    const server = await openServer()
    const bad = 'compare: { mode: [no-mmap, sideways] }\nbenchmarks: [hg.command.lug]\nfoo: 1\n'
    const answer = await server.send('POST', '/runs', { yaml: bad })
    const { details, detail } = expectProblem(answer, 400, 'campaign-invalid')
    const diagnostics = Array.isArray(details['diagnostics']) ? details['diagnostics'] : []
    expect(diagnostics.length).toBeGreaterThanOrEqual(3)
    for (const diagnostic of diagnostics) expect(detail).toContain(diagnostic)
    expect(detail).toContain('sideways')
    expect(detail).toContain('hg.command.lug')
    expect((await server.get('/runs')).json()).toMatchObject({ runs: [] })
  })

  it('names what there is when it does not know a campaign', async () => {
    const server = await openServer()
    const answer = await server.send('POST', '/runs', { campaign: 'unknown' })
    const { details } = expectProblem(answer, 404, 'campaign-unknown')
    expect(details).toEqual({ known: ['known'] })
  })

  it.each(['../secret', '../secret.yaml', 'campaigns/../../secret', '/etc/passwd', '.', '', '\0'])(
    'reads nothing outside its folder: %j is unknown',
    async (campaign) => {
      const server = await openServer()
      expectProblem(await server.send('POST', '/runs', { campaign }), 404, 'campaign-unknown')
    },
  )

  it('knows no campaign where there is no folder of them', async () => {
    const server = await openServer((site) => ({ ...site, campaignsDirectory: '/no/such/folder' }))
    const answer = await server.send('POST', '/runs', { campaign: 'known' })
    expect(expectProblem(answer, 404, 'campaign-unknown').details).toEqual({ known: [] })
  })

  it('refuses a name that is taken', async () => {
    const server = await openServer()
    await server.start('once')
    expectProblem(await server.send('POST', '/runs', { yaml, name: 'once' }), 409, 'run-name-taken')
  })

  it.each([
    ['a program', `engines: [exec]\nbenchmarks: [{ name: exec, command: [id, "\${mode}"] }]\n`],
    ['a hook', 'benchmarks: [{ name: hg.command.log, hooks: { setup: [id] } }]\n'],
    ['a file to read', 'engines: [{ fake: /etc/passwd }]\nbenchmarks: [hg.command.log]\n'],
    ['a dataset', 'datasets: { a: { path: /etc } }\nbenchmarks: [hg.command.log]\n'],
  ])(
    'refuses a campaign that names %s, unless it is the administrator who says so',
    async (_what, rest) => {
      const server = await openServer()
      const text = `compare: { mode: [no-mmap, mmap-populate] }\n${rest}`
      const run = server.token('run', 'review', 'worker')
      const posted = await server.send('POST', '/runs', { yaml: text }, run)
      expect(expectProblem(posted, 403, 'exec-refused').detail).toContain('`admin`')
      const asAdmin = await server.send('POST', '/campaigns', { yaml: `name: stored\n${text}` })
      expect(asAdmin.statusCode).toBe(201)
      const stored = await server.send('POST', '/runs', { campaign: 'stored' }, run)
      expectProblem(stored, 403, 'exec-refused')
      expect((await server.send('POST', '/runs', { campaign: 'stored' })).statusCode).toBe(201)
      const again = await server.send('POST', '/runs/latest/rerun', {}, run)
      expectProblem(again, 403, 'exec-refused')
      expect((await server.send('POST', '/runs/latest/rerun', {})).statusCode).toBe(201)
      // Whoever may write into the server's folder has said so.
      writeFileSync(join(server.site.campaignsDirectory, 'put.yaml'), text)
      for (const path of ['/runs', '/runs/latest/rerun']) {
        const body = path === '/runs' ? { campaign: 'put' } : {}
        expect((await server.send('POST', path, body, run)).statusCode).toBe(201)
      }
    },
  )
})

describe('looking at runs', () => {
  it('gives them page by page, newest first, each once', async () => {
    const server = await openServer()
    for (let count = 0; count < 5; count += 1) await server.start()
    const pages: string[][] = []
    let query = '?limit=2'
    for (;;) {
      const page = listRunsResponseSchema.parse((await server.get(`/runs${query}`)).json())
      pages.push(page.runs.map(({ id }) => id))
      if (page.nextCursor === null) break
      query = `?limit=2&cursor=${page.nextCursor}`
    }
    expect(pages).toEqual([['run5', 'run4'], ['run3', 'run2'], ['run1']])
    expectProblem(await server.get('/runs?cursor=nonsense'), 400, 'bad-cursor')
    expectProblem(await server.get('/runs?limit=0'), 400, 'request-invalid')
  })

  it('finds one by id, name, latest and @-1', async () => {
    const server = await openServer()
    await server.start('older')
    await server.start()
    const idOf = async (reference: string) =>
      runProgressSchema.parse((await server.get(`/runs/${reference}`)).json()).id
    expect(await idOf('run1')).toBe('run1')
    expect(await idOf('older')).toBe('run1')
    expect(await idOf('latest')).toBe('run2')
    expect(await idOf('@-1')).toBe('run1')
    expectProblem(await server.get('/runs/nobody'), 404, 'run-not-found')
    expectProblem(await server.get('/runs/run'), 400, 'run-ambiguous')
  })

  it('shows cells and samples as they come in', async () => {
    const server = await openServer()
    const id = await server.start()
    const cells = async () =>
      listCellsResponseSchema.parse((await server.get(`/runs/${id}/cells`)).json()).cells
    expect((await cells()).map(({ label, status }) => `${label} ${status}`)).toEqual([
      'before queued',
      'after queued',
    ])
    const token = await server.take(id)
    await server.putRound(id, token, roundOf(1))
    await server.putRound(id, token, roundOf(2))
    expect(await cells()).toMatchObject([
      { status: 'running', goodSamples: 2, samples: 2 },
      { status: 'running', goodSamples: 2, samples: 2 },
    ])
    const places: string[] = []
    let query = '?limit=3'
    for (;;) {
      const answer = await server.get(`/runs/latest/samples${query}`)
      const page = listSamplesResponseSchema.parse(answer.json())
      places.push(...page.samples.map(({ round, cellId }) => `${round} ${cellId}`))
      if (page.nextCursor === null) break
      query = `?limit=3&cursor=${page.nextCursor}`
    }
    expect(places).toEqual(['1 b1.c1', '1 b1.c2', '2 b1.c1', '2 b1.c2'])
  })
})

describe('cancelling a run', () => {
  it('ends it, keeps what was measured, and cannot be done twice', async () => {
    const server = await openServer()
    const id = await server.start()
    const token = await server.take(id)
    await server.putRound(id, token, roundOf(1))
    const answer = await server.send('POST', `/runs/${id}/cancel`)
    expect(runSchema.parse(answer.json())).toMatchObject({ id, status: 'cancelled' })
    expect(await server.putRound(id, token, roundOf(2))).toBe(410)
    expect((await server.send('POST', '/takes/renew', { token })).json()).toMatchObject({
      cancelled: true,
    })
    expectProblem(await server.send('POST', `/runs/${id}/cancel`), 409, 'run-terminal')
    expect((await server.get(`/runs/${id}`)).json()).toMatchObject({ samples: 2 })
    expect(await server.site.courier.depth()).toBe(0)
  })
})
