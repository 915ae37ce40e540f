/** Campaigns over HTTP: of the folder and of the store, with versions; plans without runs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  campaignResponseSchema,
  listCampaignsResponseSchema,
  planResponseSchema,
  textDigest,
} from '@assay/model'
import { describe, expect, it } from 'vitest'
import { expectProblem, openServer, type TestServer, yaml } from './open-server.ts'

const list = async (server: TestServer) =>
  listCampaignsResponseSchema.parse((await server.get('/campaigns')).json()).campaigns

const show = async (server: TestServer, name: string) =>
  campaignResponseSchema.parse((await server.get(`/campaigns/${name}`)).json())

describe('the campaigns of a server', () => {
  it('are those of its folder and those that were ever run or stored', async () => {
    const server = await openServer()
    await server.send('POST', '/runs', { campaign: 'known' })
    await server.send('POST', '/campaigns', { yaml: `name: posted\n${yaml}` })
    writeFileSync(join(server.site.campaignsDirectory, 'faulty.yml'), 'compare: {}\n')
    expect(await list(server)).toMatchObject([
      { name: 'faulty', file: 'faulty.yml', versions: 0, savedAt: null, runs: 0 },
      { name: 'known', file: 'known.yaml', versions: 1, runs: 1, problem: null },
      {
        name: 'posted',
        file: null,
        versions: 1,
        runs: 0,
        digest: textDigest(`name: posted\n${yaml}`),
      },
    ])
    expect((await list(server))[0]?.problem).toContain('faulty.yml:1:')
  })

  it('keep every version, newest first, and the file before it is ever run', async () => {
    let now = 1_000_000
    const server = await openServer(
      (site) => site,
      () => now,
    )
    const texts = [0, 1, 2].map((count) => `${yaml}# ${'x'.repeat(count)}\n`)
    for (const text of texts) {
      now += 1000
      expect(
        (await server.send('POST', '/campaigns', { yaml: text, name: 'known' })).statusCode,
      ).toBe(201)
    }
    const again = await server.send('POST', '/campaigns', { yaml: texts[2] ?? '', name: 'known' })
    expect(again.statusCode).toBe(200)
    const { file, versions } = await show(server, 'known')
    expect(file).toBe('known.yaml')
    expect(versions.map((version) => version.yaml)).toEqual([yaml, ...texts.toReversed()])
    expect(versions.map(({ savedAt }) => savedAt)).toEqual([null, 1_003_000, 1_002_000, 1_001_000])
    expectProblem(await server.get('/campaigns/nobody'), 404, 'campaign-unknown')
  })

  it('can be run by name, in any version that is kept', async () => {
    const server = await openServer()
    const older = `name: posted\n${yaml}`
    const newer = `name: posted\n${yaml}# again\n`
    for (const text of [older, newer]) await server.send('POST', '/campaigns', { yaml: text })
    const start = async (campaign: string) => {
      const answer = await server.send('POST', '/runs', { campaign })
      expect(answer.statusCode).toBe(201)
      return (await server.get('/runs/latest')).json<{ campaignDigest: string }>().campaignDigest
    }
    expect(await start(`posted@${textDigest(older).slice(0, 10)}`)).toBe(textDigest(older))
    const wanted = [textDigest(older), textDigest(newer)]
    expect(wanted).toContain(await start('posted'))
    expectProblem(
      await server.send('POST', '/runs', { campaign: 'posted@0000' }),
      404,
      'campaign-unknown',
    )
  })

  it('are not stored with mistakes or with programs', async () => {
    const server = await openServer()
    const bad = await server.send('POST', '/campaigns', { yaml: 'compare: {}\n' })
    expectProblem(bad, 400, 'campaign-invalid')
    const exec = `compare: { command: { a: [id], b: [id, -u] } }\nbenchmarks: [exec]\n`
    const answer = await server.send('POST', '/campaigns', { yaml: exec }, server.token('run'))
    expectProblem(answer, 403, 'exec-refused')
    expect((await list(server)).map(({ name }) => name)).toEqual(['known'])
  })
})

describe('a plan', () => {
  it('counts and estimates what a run would measure, and stores nothing', async () => {
    const server = await openServer()
    const body = { yaml, pool: 'arm', rounds: { min: 10, max: 20 } }
    const plan = planResponseSchema.parse((await server.send('POST', '/plan', body)).json())
    expect(plan.counts).toEqual({ blocks: 1, cells: 2, supported: 2, unsupported: 0 })
    expect(plan.estimate.leastSeconds).toBeCloseTo(2 * 10 * plan.estimate.sampleSeconds)
    expect(plan.estimate.mostSeconds).toBeCloseTo(2 * 20 * plan.estimate.sampleSeconds)
    expect(plan.blocks).toMatchObject([{ id: 'b1', pool: 'arm' }])
    expect((await server.get('/runs')).json()).toMatchObject({ runs: [] })
    expect(await list(server)).toMatchObject([{ versions: 0 }])
  })

  it('leaves out what is not selected, and names a typo', async () => {
    const server = await openServer()
    const wide = yaml.replace(
      '[hg.command.log]',
      '[{ name: hg.command.log, with: { limit-rev: [1, 10] } }]',
    )
    const planned = async (more: object) => server.send('POST', '/plan', { yaml: wide, ...more })
    expect((await planned({})).json()).toMatchObject({ counts: { blocks: 2 } })
    expect((await planned({ only: ['limit-rev=1'] })).json()).toMatchObject({
      counts: { blocks: 1 },
    })
    expect((await planned({ skip: ['limit-rev=1'], quick: true })).json()).toMatchObject({
      ...{ counts: { blocks: 1 }, sampling: { rounds: { min: 5, max: 5 } } },
    })
    expectProblem(await planned({ only: ['limit-rev=7'] }), 400, 'selection-unknown')
  })
})
