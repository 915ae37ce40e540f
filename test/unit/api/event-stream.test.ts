/** The stream behind the events' routes: a sign of life while nothing happens, and no end too early. */
import { openStore } from '@assay/store'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdsStill } from '../../../apps/api/src/authorize.ts'
import { eventTexts } from '../../../apps/api/src/event-stream.ts'
import { openWithRun, stillClock, storePath, take } from '../store/example-run.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('says that it is alive after fifteen quiet seconds, and tells what happens at once', async () => {
  const { store } = openWithRun()
  const over = new AbortController()
  const following = { store, runId: 'run-1', after: null, over: over.signal }
  const texts = eventTexts({ ...following, mayLook: () => true })
  expect((await texts.next()).value).toMatch(/^retry: /)
  expect((await texts.next()).value).toContain('"status":"planned"')
  for (let count = 0; count < 3; count += 1) {
    const quiet = texts.next()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(await Promise.race([quiet, Promise.resolve('nothing yet')])).toBe('nothing yet')
    await vi.advanceTimersByTimeAsync(1)
    expect(await quiet).toEqual({ done: false, value: ': alive\n\n' })
  }
  const told = texts.next()
  await vi.advanceTimersByTimeAsync(1000)
  take(store, 't1')
  expect((await told).value).toContain('"status":"taken"')
  const last = texts.next()
  over.abort()
  expect(await last).toEqual({ done: true, value: undefined })
})

it('goes on after a restart of the server where it was, over the same store', async () => {
  const path = storePath()
  const first = openStore({ path, access: 'write', now: stillClock().now })
  const { store: made } = openWithRun()
  const { plan, ...run } = made.runs.get('run-1')
  first.campaigns.save({
    name: run.campaign,
    yaml: made.campaigns.get(run.campaignDigest)?.yaml ?? '',
  })
  first.runs.create({ run, plan })
  take(first, 't1')
  const [created, taken] = first.events.after({ after: 0, limit: 9 })
  first.close()
  const second = openStore({ path, access: 'write', now: stillClock().now })
  second.blocks.release({ token: 't1' })
  const over = new AbortController()
  const following = { store: second, after: created?.id ?? -1, over: over.signal }
  const texts = eventTexts({ ...following, mayLook: () => true })
  await texts.next()
  expect((await texts.next()).value).toContain(`id: ${taken?.id}\n`)
  expect((await texts.next()).value).toContain('"status":"queued"')
  over.abort()
  expect((await texts.next()).done).toBe(true)
  second.close()
})

it.each(['revoked', 'expired'] as const)(
  'tells nothing more to a client whose token is %s, and ends',
  async (what) => {
    const { store, clock } = openWithRun()
    const facts = { id: 'x', name: 'x', scopes: ['read'], hash: 'h' } as const
    const { id, name, scopes } = store.tokens.create({ ...facts, expiresAt: store.now() + 60_000 })
    const client = { kind: 'token', id, name, scopes, over: null } as const
    const following = { store, after: 0, over: new AbortController().signal }
    const mayLook = () => holdsStill(client, { get: store.tokens.get, now: store.now })
    const texts = eventTexts({ ...following, mayLook })
    await texts.next()
    expect((await texts.next()).value).toContain('"status":"planned"')
    const last = texts.next()
    if (what === 'revoked') store.tokens.revoke(id)
    else clock.advance(60_000)
    take(store, 't1')
    expect(await last).toEqual({ done: true, value: undefined })
    // Where nothing happens, the next sign of life is the end.
    const quiet = eventTexts({ ...following, after: null, mayLook })
    await quiet.next()
    expect((await quiet.next()).done).toBe(true)
  },
)
