/** Server-sent events: in order, resumable, also by another process; ended with the run. */
import type { StreamEvent } from '@assay/model'
import { streamEventSchema } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { expectProblem, openServer, roundOf, type TestServer } from './open-server.ts'

/** Events of a stream's text; each `id` and `event` line says what the data says. */
const eventsIn = (text: string): readonly StreamEvent[] =>
  text
    .split('\n\n')
    .filter((part) => part.includes('data: '))
    .map((part) => {
      const lines = part.split('\n')
      const event = streamEventSchema.parse(JSON.parse(lines[2]?.slice('data: '.length) ?? ''))
      expect(lines.slice(0, 2)).toEqual([`id: ${event.id}`, `event: ${event.type}`])
      return event
    })

const kinds = (events: readonly StreamEvent[]): readonly string[] =>
  events.map((event) => ('status' in event ? `${event.type} ${event.status}` : event.type))

const measure = async (server: TestServer, id: string): Promise<void> => {
  const token = await server.take(id)
  await server.putRound(id, token, roundOf(1))
  const cells = ['b1.c1', 'b1.c2'].map((cellId) => ({ cellId, status: 'measured', reason: null }))
  await server.send('POST', `/runs/${id}/blocks/b1/finish`, { token, stopReason: 'rounds', cells })
}

const wholeLife = [
  ...['run planned', 'block taken', 'run running', 'round'],
  ...['cell measured', 'cell measured', 'block done', 'run complete', 'end complete'],
]

describe('the events of a run', () => {
  it('are its whole life, from the beginning, and end with it', async () => {
    const server = await openServer()
    const id = await server.start()
    await server.start()
    await measure(server, id)
    const answer = await server.get(`/runs/${id}/events`)
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(answer.body).toMatch(/^retry: \d+\n\n/)
    const events = eventsIn(answer.body)
    expect(kinds(events)).toEqual(wholeLife)
    expect(events.every((event) => !('runId' in event) || event.runId === id)).toBe(true)
  })

  it('go on after any of them, by header or query', async () => {
    const server = await openServer()
    const id = await server.start()
    await measure(server, id)
    const all = eventsIn((await server.get(`/runs/${id}/events`)).body)
    for (const [at, event] of all.entries()) {
      const rest = await server.get(`/runs/${id}/events`, { 'last-event-id': String(event.id) })
      const asked = await server.get(`/runs/${id}/events?after=${event.id}`)
      // The last but one has the number that the end has, which is told to whoever asks.
      const wanted = all.slice(Math.min(at + 1, all.length - 1))
      expect(eventsIn(rest.body)).toEqual(wanted)
      expect(asked.body).toBe(rest.body)
    }
  })

  it('of a cancelled run end too', async () => {
    const server = await openServer()
    const id = await server.start()
    await server.send('POST', `/runs/${id}/cancel`)
    expect(kinds(eventsIn((await server.get(`/runs/${id}/events`)).body))).toEqual([
      'run planned',
      'run cancelled',
      'end cancelled',
    ])
    expectProblem(await server.get('/runs/nobody/events'), 404, 'run-not-found')
  })

  it('come as they happen, over a connection that the server ends when it ends', async () => {
    const server = await openServer()
    const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
    const id = await server.start()
    const ofRun = fetch(`${url}/api/v1/runs/${id}/events`).then((answer) => answer.text())
    const all = await fetch(`${url}/api/v1/events?after=0`)
    const reader = all.body?.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    const until = async (wanted: string): Promise<void> => {
      while (!seen.includes(wanted)) {
        const part = await reader?.read()
        if (part?.done !== false) throw new Error(`the stream ended after ${seen}`)
        seen += part.value
      }
    }
    await until('"status":"planned"')
    const token = await server.take(id)
    await until('"status":"taken"')
    await server.putRound(id, token, roundOf(1))
    await until('"round":1')
    await server.send('POST', `/runs/${id}/cancel`)
    expect(kinds(eventsIn(await ofRun))).toEqual([
      ...['run planned', 'block taken', 'run running', 'round', 'run cancelled', 'end cancelled'],
    ])
    await until('"status":"cancelled"')
    await server.app.close()
    expect((await reader?.read())?.done).toBe(true)
  })

  it('that are not kept any more are told as a gap, and a number of another store too', async () => {
    const server = await openServer((site) => ({
      ...site,
      store: {
        ...site.store,
        events: {
          ...site.store.events,
          range: () => ({ ...site.store.events.range(), oldest: 3 }),
          after: (request) =>
            site.store.events.after({ ...request, after: Math.max(2, request.after) }),
        },
      },
    }))
    const id = await server.start()
    await measure(server, id)
    const late = eventsIn((await server.get(`/runs/${id}/events?after=1`)).body)
    expect(kinds(late)).toEqual(['gap', ...wholeLife.slice(2)])
    const foreign = eventsIn((await server.get(`/runs/${id}/events?after=999`)).body)
    expect(kinds(foreign)).toEqual(['gap', 'end complete'])
  })
})
