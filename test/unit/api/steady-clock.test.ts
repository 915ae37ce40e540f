/** A wall clock that jumps moves no lease. */
import { openStore } from '@assay/store'
import { expect, it, onTestFinished } from 'vitest'
import { steadyClock } from '../../../apps/api/src/steady-clock.ts'
import {
  blockOf,
  fault,
  planOf,
  put,
  roundOf,
  runOf,
  storePath,
  take,
  yaml,
} from '../store/example-run.ts'

const hour = 3_600_000

it.each([
  ['back', -hour],
  ['forward', hour],
])('leases last as long as they should while the wall clock jumps %s by an hour', (_, jump) => {
  let wall = 1_000_000_000
  let passed = 5_000
  const now = steadyClock(
    () => wall,
    () => passed,
  )
  const store = openStore({ path: storePath(), access: 'write', now })
  onTestFinished(() => store.close())
  store.campaigns.save({ name: 'mmap', yaml })
  store.runs.create({ run: runOf('run-1'), plan: planOf([blockOf('b1', [null, null])]) })
  const cells = ['b1.c1', 'b1.c2']
  take(store, 'first')
  wall += jump
  expect(store.blocks.requeueExpired()).toBe(0)
  expect(put(store, 'first', roundOf(1, cells))).toBe('created')
  passed += 60_001
  expect(store.blocks.requeueExpired()).toBe(1)
  expect(() => put(store, 'first', roundOf(2, cells))).toThrow(fault('take-stale'))
  expect(take(store, 'second').take.savedRounds).toBe(1)
})
