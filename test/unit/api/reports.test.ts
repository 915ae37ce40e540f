/** The report of a run in the format that the client asks for. */
import { reportSchema } from '@assay/model'
import { printRun } from '@assay/orchestrator'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectProblem, openServer, roundOf, type TestServer } from './open-server.ts'

describe('a report', () => {
  let server: TestServer
  let id = ''
  beforeEach(async () => {
    server = await openServer()
    id = await server.start()
    const token = await server.take(id)
    for (const number of [1, 2, 3]) await server.putRound(id, token, roundOf(number))
  })
  const printed = (format: string): string => printRun(id, server.site.store, { format }).text

  it.each([
    ['text/plain', 'full'],
    ['text/markdown', 'markdown'],
    ['application/json', 'json'],
    ['application/json;q=0.5, text/markdown', 'markdown'],
    ['text/csv', 'csv'],
    ['text/html, application/*;q=0.9', 'html'],
    ['image/png, application/*;q=0.9', 'json'],
    ['*/*;q=0.1, application/json', 'json'],
    ['text/plain;q=0, text/*', 'markdown'],
    ['*/*', 'full'],
  ])('for Accept: %s is %s, as the command line prints it', async (accept, format) => {
    const answer = await server.get(`/runs/${id}/report`, { accept })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe(printed(format))
    expect(answer.headers['content-type']).toMatch(/; charset=utf-8$/)
    expect(answer.headers['vary']).toBe('accept')
  })

  it('says the slowdown that was measured', async () => {
    const answer = await server.get(`/runs/${id}/report`, { accept: 'application/json' })
    const report = reportSchema.parse(answer.json())
    expect(report.blocks[0]?.rows[1]?.comparison?.change).toBeCloseTo(1)
    expect((await server.get(`/runs/${id}/report`)).body).toContain('after: 0.200000 (+100.00%')
  })

  it('is text for a client that says nothing, and can be asked for by name', async () => {
    expect((await server.get(`/runs/${id}/report`)).body).toBe(printed('full'))
    const compact = await server.get(`/runs/latest/report?format=compact`, { accept: 'x/y' })
    expect(compact.body).toBe(printed('compact'))
    const refused = await server.get(`/runs/${id}/report?format=pdf`)
    const { detail } = expectProblem(refused, 400, 'request-invalid')
    expect(detail).toMatch(/^the query does not fit: format: expected one of "full"/)
  })

  it('judges the metric that is asked for, and no other word', async () => {
    const faults = await server.get(`/runs/${id}/report?metric=minorFaults`)
    expect(faults.body).toContain('; metric: minorFaults in count')
    const answer = await server.get(`/runs/${id}/report?metric=wallsecond`)
    expectProblem(answer, 400, 'metric-unknown')
  })

  it.each(['image/png', 'text/plain;q=0', 'nonsense', ''])(
    'is refused where nothing fits Accept: %j',
    async (accept) => {
      const answer = await server.get(`/runs/${id}/report`, { accept })
      const { details } = expectProblem(answer, 406, 'not-acceptable')
      expect(details['offered']).toContain('text/markdown')
    },
  )
})
