import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { blockOf, openWithRun, put, roundOf, sampleOf, take } from './example-run.ts'

/** Tables that grow with every sample, round or block: nothing may read one from end to end. */
const growing = [
  'block',
  'cell',
  'take',
  'stale_token',
  'round',
  'sample',
  'metric',
  'event',
  'audit',
]

const useEverything = (trace: (sql: string) => void): string => {
  const { store, clock, path } = openWithRun(
    [blockOf('b1', [null, null]), blockOf('b2', [null]), blockOf('b3', [null])],
    trace,
  )
  take(store, 't1')
  const sample = sampleOf('b1.c1', 0, { metrics: { readBytes: 1 } })
  put(store, 't1', roundOf(1, [], { samples: [sample] }))
  store.blocks.renew({ token: 't1', leaseMillis: 1 })
  clock.advance(10)
  store.blocks.requeueExpired()
  take(store, 't2', { host: 'host-b' })
  store.blocks.release({ token: 't2' })
  take(store, 't3')
  const cells = ['b1.c1', 'b1.c2'].map((cellId) => ({
    ...({ cellId, status: 'failed', reason: 'x' } as const),
  }))
  store.blocks.finish({ token: 't3', stopReason: 'failed', cells })
  store.blocks.listOf('run-1')
  store.blocks.queued()
  take(store, 't4', { blockId: 'b2' })
  store.blocks.requeueAll('run-1')
  store.cells.ofRun('run-1')
  store.samples.ofRun('run-1', { limit: 1, cursor: null })
  store.samples.ofRun('run-1', { limit: 1, cursor: '0.1.0.1.0' })
  store.samples.evidence('run-1', 'wallSeconds')
  store.samples.evidence('run-1', 'readBytes')
  store.samples.ofRun('run-1', { limit: 1, cursor: null, cell: 'b1.c1' })
  store.blocks.showOf('run-1')
  store.blocks.takes('run-1', 'b1')
  store.cells.get('run-1', 'b1.c1')
  store.workers.list()
  store.pools.list()
  store.events.after({ after: 0, limit: 10 })
  store.events.after({ after: 0, limit: 10, runId: 'run-1' })
  store.events.range()
  store.runs.mark('run-1', 'x')
  for (const reference of ['run-1', 'latest', 'ru']) store.runs.find(reference)
  store.runs.list({ limit: 10, cursor: null })
  store.runs.progress('run-1')
  store.runs.openRuns()
  store.runs.cancel('run-1')
  store.tokens.create({ id: 't', hash: 'h', name: 'n', scopes: ['read'], expiresAt: null })
  store.tokens.byHash('h')
  store.tokens.used('t')
  store.tokens.revoke('t')
  store.audit.record({
    ...{ who: { tokenId: 't', name: 'n', address: null }, action: 'x', object: {} },
    ...{ status: 403, requestId: null },
  })
  store.audit.list({ limit: 10, cursor: null })
  store.jobs.add([{ pool: 'p', runId: 'run-1', blockId: 'b1', priority: 1 }])
  store.jobs.nextDue('p')
  const job = store.jobs.claim({ pool: 'p', leaseMillis: 1 })
  if (job) store.jobs.giveBack(job)
  store.jobs.removeRun('run-1')
  return path
}

/** A walk over partial indexes of open blocks is short: most blocks are done. */
const shortIndexes = /USING (COVERING )?INDEX (block_queued|block_taken|block_waiting)/

/** The steps of a statement's plan that read a growing table whole, or sort what it reads. */
const badSteps = (database: Database.Database, sql: string): string[] => {
  const aliases = [...sql.matchAll(/\b(\w+) AS (\w+)\b/g)]
    .filter(([, table]) => growing.includes(table ?? ''))
    .map(([, , alias]) => alias ?? '')
  const steps = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all()
  return steps.flatMap(({ detail }) => {
    const read = /^SCAN (\w+)/.exec(detail) ?? /^SEARCH (\w+) USING AUTOMATIC/.exec(detail)
    const whole = [...growing, ...aliases].includes(read?.[1] ?? '') && !shortIndexes.test(detail)
    const sorts = detail.includes('FOR ORDER BY') && sql.includes('JOIN sample')
    return whole || sorts ? [`${detail}: ${sql}`] : []
  })
}

it('no statement reads a table that grows with the samples from end to end, or sorts samples', () => {
  const statements = new Set<string>()
  const path = useEverything((sql) => statements.add(sql))
  const explained = [...statements].filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE)/.test(sql))
  const database = new Database(path, { readonly: true })
  const bad = explained.flatMap((sql) => badSteps(database, sql))
  database.close()
  expect(explained.length).toBeGreaterThan(40)
  expect(bad).toEqual([])
})
