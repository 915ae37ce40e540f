/** The gate over HTTP: it measures, measures regressions again, and decides without anybody's help. */
import { gateStateSchema, type Round } from '@assay/model'
import { continueGates } from '@assay/orchestrator'
import { describe, expect, it } from 'vitest'
import { aRound, aSample, aUsage } from '../../support/builders.ts'
import { expectProblem, openServer, roundOf, type TestServer, yaml } from './open-server.ts'

/** A round whose sides are as fast as each other, with some noise. */
const equalRound = (number: number): Round =>
  aRound({
    number,
    samples: ['b1.c1', 'b1.c2'].map((cellId, position) => {
      const wallSeconds = 0.1 * (1 + 0.001 * ((number * (3 + position)) % 7))
      return aSample({ cellId, position, usage: aUsage({ wallSeconds }) })
    }),
  })

const measure = async (server: TestServer, runId: string, round: (number: number) => Round) => {
  const token = await server.take(runId)
  for (let number = 1; number <= 30; number += 1) {
    expect(await server.putRound(runId, token, round(number))).toBe(201)
  }
  const cells = ['b1.c1', 'b1.c2'].map((cellId) => ({ cellId, status: 'measured', reason: null }))
  const end = { token, stopReason: 'rounds', cells }
  const answer = await server.send('POST', `/runs/${runId}/blocks/b1/finish`, end)
  expect(answer.statusCode).toBe(200)
}

const open = async (request: object = {}) => {
  const server = await openServer()
  const answer = await server.send('POST', '/gates', { yaml, ...request })
  expect(answer.statusCode).toBe(201)
  const { run } = gateStateSchema.parse(answer.json())
  expect(answer.headers['location']).toBe(`/api/v1/gates/${run.id}`)
  const state = async () => gateStateSchema.parse((await server.get(`/gates/${run.id}`)).json())
  return { server, runId: run.id, state, goOn: () => continueGates(server.site) }
}

describe('a gate on a server', () => {
  it.each([
    ['comes again blocks', roundOf, 'blocked'],
    ['does not come again passes', equalRound, 'passed'],
  ] as const)('where a regression %s', async (_what, again, outcome) => {
    const { server, runId, state, goOn } = await open({ confirmRounds: 30 })
    await goOn()
    expect(await state()).toMatchObject({ status: 'measuring', confirmation: null, gate: null })
    await measure(server, runId, roundOf)
    // However often it is looked at, it is measured again once.
    for (let time = 0; time < 3; time += 1) await goOn()
    const { status, confirmation } = await state()
    expect([status, confirmation?.labels]).toEqual(['confirming', { confirms: runId }])
    await measure(server, confirmation?.id ?? '', again)
    await goOn()
    const decided = await state()
    expect(decided).toMatchObject({ status: 'decided', gate: { outcome } })
    expect(decided.gate?.confirmedBy).toBe(confirmation?.id)
    expect(server.site.store.runs.list({ cursor: null, limit: 10 }).runs).toHaveLength(2)
  })

  it('lets one measurement decide where that is asked for', async () => {
    const { server, runId, state, goOn } = await open({ confirmRounds: null })
    await measure(server, runId, roundOf)
    await goOn()
    expect(await state()).toMatchObject({
      ...{ status: 'decided', confirmation: null },
      gate: { outcome: 'blocked', confirmedBy: null },
    })
  })

  it('goes by the rules that it was given', async () => {
    const { server, runId, state, goOn } = await open({ rules: { threshold: 1.5 } })
    await measure(server, runId, roundOf)
    await goOn()
    expect(await state()).toMatchObject({
      ...{ status: 'decided', rules: { threshold: 1.5 } },
      gate: { outcome: 'passed' },
    })
  })

  it('decides that a cancelled run is not measured', async () => {
    const { server, runId, state, goOn } = await open()
    expect((await server.send('POST', `/runs/${runId}/cancel`)).statusCode).toBe(200)
    await goOn()
    expect(await state()).toMatchObject({ status: 'decided', gate: { outcome: 'unmeasured' } })
  })

  it('is started once under one key, and needs the scope `run`', async () => {
    const server = await openServer()
    const post = (token: string) =>
      server.app.inject({
        ...{ method: 'POST', url: '/api/v1/gates', payload: { yaml } },
        headers: { ...server.by(token), 'idempotency-key': 'once' },
      })
    const token = server.token('run')
    const [first, second] = [await post(token), await post(token)]
    expect([first.statusCode, second.statusCode]).toEqual([201, 200])
    expect(second.json()).toEqual(first.json())
    expectProblem(await post(server.token('read')), 403, 'scope-missing')
  })

  it('names what is wrong with a request, and which runs have no gate', async () => {
    const server = await openServer()
    const refused = await server.send('POST', '/gates', { yaml, confirmRounds: 3 })
    expectProblem(refused, 400, 'request-invalid')
    expectProblem(await server.get(`/gates/${await server.start()}`), 404, 'gate-not-found')
  })
})
