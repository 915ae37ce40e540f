/** Reviews and the gate over HTTP. */
import { gateSchema, listReviewsResponseSchema, reportSchema, reviewSchema } from '@assay/model'
import { expect, it } from 'vitest'
import { expectProblem, openServer, roundOf } from './open-server.ts'

/** A measured run whose second cell takes twice as long. */
const openMeasured = async () => {
  const server = await openServer()
  const id = await server.start()
  const token = await server.take(id)
  for (let number = 1; number <= 12; number += 1) {
    expect(await server.putRound(id, token, roundOf(number))).toBe(201)
  }
  const cells = ['b1.c1', 'b1.c2'].map((cellId) => ({ cellId, status: 'measured', reason: null }))
  const end = { token, stopReason: 'rounds', cells }
  expect((await server.send('POST', `/runs/${id}/blocks/b1/finish`, end)).statusCode).toBe(200)
  const gate = async (query = '') =>
    gateSchema.parse((await server.get(`/runs/${id}/gate${query}`)).json())
  return { server, id, gate }
}

it('a regression blocks until a person accepts it, with a reason that the report tells', async () => {
  const { server, id, gate } = await openMeasured()
  expect(await gate()).toMatchObject({ outcome: 'blocked', rows: [{ blocker: 'regression' }] })
  const review = { decision: 'accepted', rows: ['b1.c2'], reason: 'it does more' }
  const answer = await server.send('POST', `/runs/${id}/reviews`, review, server.token('review'))
  expect(answer.statusCode).toBe(201)
  const { who, current } = reviewSchema.parse(answer.json())
  expect([who.name, current]).toEqual(['review', true])
  expect(await gate()).toMatchObject({ outcome: 'passed', rows: [{ state: 'accepted' }] })
  const listed = listReviewsResponseSchema.parse((await server.get(`/runs/${id}/reviews`)).json())
  expect(listed.reviews).toHaveLength(1)
  const text = (await server.get(`/runs/${id}/report`)).body
  expect(text).toMatch(/^; review: after \(.*\) accepted by review on \d{4}.*: it does more$/m)
  const report = reportSchema.parse((await server.get(`/runs/${id}/report?format=json`)).json())
  expect(report.reviews).toEqual(listed.reviews)
  await server.send('POST', `/runs/${id}/invalid`, { reason: 'a backup ran' })
  expect(await gate()).toMatchObject({ outcome: 'blocked' })
  expect((await server.get(`/runs/${id}/report`)).body).toContain('on other samples than these')
})

it('rules come in the query, and mistakes are named', async () => {
  const { server, id, gate } = await openMeasured()
  expect(await gate('?threshold=1.5')).toMatchObject({
    outcome: 'passed',
    rules: { threshold: 1.5 },
  })
  expect(await gate('?block=failed,missing')).toMatchObject({ outcome: 'passed' })
  expectProblem(await server.get(`/runs/${id}/gate?block=slow`), 400, 'request-invalid')
  const post = (body: object) => server.send('POST', `/runs/${id}/reviews`, body)
  expectProblem(await post({ decision: 'accepted', reason: ' ' }), 400, 'request-invalid')
  const accepting = (row: string) => post({ decision: 'accepted', reason: 'x', rows: [row] })
  expectProblem(await accepting('b9.c1'), 404, 'cell-not-found')
  expectProblem(await accepting('b1.c1'), 400, 'review-rows-not-compared')
})
