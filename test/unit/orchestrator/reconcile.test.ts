/** The queue is brought back in line with the store, whatever it forgot. */
import { drainPool, pausePool, reconcile, resumePool } from '@assay/orchestrator'
import { type Courier, openEmbeddedCourier } from '@assay/queue'
import { expect, it } from 'vitest'
import { blockOf, openWithRun, take } from '../store/example-run.ts'

/** A store with a queue that loses what it is told while it is away. */
const openPair = () => {
  const { store, clock } = openWithRun([
    blockOf('b1', [null]),
    { ...blockOf('b2', [null]), pool: 'arm' },
  ])
  const inner = openEmbeddedCourier({ store })
  const calls: string[] = []
  const courier: Courier = {
    ...inner,
    pause: async (pool) => void calls.push(`pause ${pool}`),
    resume: async (pool) => void calls.push(`resume ${pool}`),
    add: async (jobs) => {
      for (const { pool, blockId, priority } of jobs)
        calls.push(`add ${pool} ${blockId} ${priority}`)
    },
  }
  return { store, clock, courier, calls }
}

it('each waiting block goes to the queue of its pool, each pool is paused or not as the store says', async () => {
  const { store, courier, calls } = openPair()
  await pausePool('arm', { store, courier })
  calls.length = 0
  await reconcile({ store, courier })
  expect(calls).toEqual(['pause arm', 'resume default', 'add default b1 0', 'add arm b2 0'])
  await resumePool('arm', { store, courier })
  calls.length = 0
  await reconcile({ store, courier })
  expect(calls).toContain('resume arm')
})

it('a block whose lease ran out is queued again', async () => {
  const { store, clock, courier, calls } = openPair()
  take(store, 't1')
  await reconcile({ store, courier })
  expect(calls).not.toContain('add default b1 0')
  clock.advance(60_001)
  await reconcile({ store, courier })
  expect(calls).toContain('add default b1 0')
})

it('a pool is drained when its last block is given back, and not before', async () => {
  const { store, courier } = openPair()
  take(store, 't1')
  const over = new AbortController()
  const drained = drainPool('default', { store, courier }, over.signal)
  store.blocks.renew({ token: 't1', leaseMillis: 60_000 })
  expect(await Promise.race([drained, Promise.resolve('waiting')])).toBe('waiting')
  store.blocks.release({ token: 't1' })
  expect(await drained).toMatchObject({ drained: true, paused: true, waiting: 1, measuring: 0 })
  take(store, 't2', { blockId: 'b2' })
  const given = drainPool('arm', { store, courier }, over.signal)
  over.abort()
  expect(await given).toMatchObject({ drained: false, measuring: 1 })
})
