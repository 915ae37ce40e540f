import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultPool, openEmbeddedCourier } from '@assay/queue'
import { openStore } from '@assay/store'
import { expect, it, onTestFinished } from 'vitest'
import { courierConformance, type OpenCourier } from './courier.ts'

const openEmbedded: OpenCourier = async (leaseMillis) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-courier-'))
  const openOn = () => {
    const store = openStore({ path: join(folder, 'assay.db'), access: 'write', now: Date.now })
    return { store, courier: openEmbeddedCourier({ store, leaseMillis }) }
  }
  let opened = openOn()
  const end = async (): Promise<void> => {
    await opened.courier.close()
    opened.store.close()
  }
  return {
    courier: opened.courier,
    restart: async () => {
      await end()
      opened = openOn()
      return opened.courier
    },
    close: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

courierConformance('embedded', openEmbedded)

it('embedded: a consumer that waits asks the store nothing until there is something', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-courier-'))
  let statements = 0
  const store = openStore({
    ...{ path: join(folder, 'assay.db'), access: 'write', now: Date.now },
    trace: () => {
      statements += 1
    },
  })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const courier = openEmbeddedCourier({ store })
  const waiting = courier.next({ pool: defaultPool, waitMillis: 300_000 })
  const asked = statements
  await sleep(200)
  await courier.add([{ runId: 'run-1', blockId: 'b1', pool: 'another', priority: 1 }])
  await sleep(50)
  const afterOthers = statements
  await courier.add([{ runId: 'run-1', blockId: 'b2', pool: defaultPool, priority: 1 }])
  expect((await waiting)?.blockId).toBe('b2')
  const addedOne = 3
  expect(afterOthers - asked).toBeLessThanOrEqual(addedOne)
})
