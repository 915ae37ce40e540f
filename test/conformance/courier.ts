/**
 * What every courier promises, whatever carries its jobs. A courier that is not embedded joins by
 * opening itself here once more; nothing in the suite knows what is behind the port.
 */
import { type Courier, type Delivery, defaultPool, type Job } from '@assay/queue'
import { describe, expect, it, onTestFinished } from 'vitest'

/** A courier under test, with an empty queue of its own. */
export interface CourierUnderTest {
  readonly courier: Courier
  /** Closes the courier and opens another on the same queue, as a new process would. */
  restart(): Promise<Courier>
  /** Closes it and takes its queue away. */
  close(): Promise<void>
}

/** Opens one whose deliveries count as lost after `leaseMillis`. */
export type OpenCourier = (leaseMillis: number) => Promise<CourierUnderTest>

/** Longer than any test may take: a wait of this length that ends was ended by something else. */
const forever = 300_000
/** A lease that no test outlives. */
const longLease = 300_000
const shortLease = 200

const job = (blockId: string, changes: Partial<Job> = {}): Job => ({
  ...{ runId: 'run-1', blockId, pool: defaultPool, priority: 1 },
  ...changes,
})

const look = (courier: Courier, pool = defaultPool) => courier.next({ pool, waitMillis: 0 })

const wait = (courier: Courier, signal?: AbortSignal) =>
  courier.next({ pool: defaultPool, waitMillis: forever, ...(signal ? { signal } : {}) })

const taken = (delivery: Delivery | null): string | null => delivery?.blockId ?? null

/** Everything that can be had without waiting, in order; all stay undone. */
const drain = async (courier: Courier, pool = defaultPool): Promise<string[]> => {
  const delivery = await look(courier, pool)
  return delivery === null ? [] : [delivery.blockId, ...(await drain(courier, pool))]
}

const deliveryTests = (open: () => Promise<CourierUnderTest>): void => {
  it('a job reaches a consumer with its run and block, once', async () => {
    const { courier } = await open()
    await courier.add([job('b1', { runId: 'run-7' })])
    expect(await look(courier)).toMatchObject({ runId: 'run-7', blockId: 'b1' })
    expect(await look(courier)).toBeNull()
  })

  it('smaller priorities go first, equal ones in the order in which they were added', async () => {
    const { courier } = await open()
    await courier.add([job('late', { priority: 9 }), job('first'), job('second')])
    await courier.add([job('urgent', { priority: 0 }), job('third')])
    expect(await drain(courier)).toEqual(['urgent', 'first', 'second', 'third', 'late'])
  })

  it('a job that is added again while it waits or is delivered is still one job', async () => {
    const { courier } = await open()
    await courier.add([job('b1'), job('b1')])
    await courier.add([job('b1', { priority: 0 })])
    const delivery = await look(courier)
    await courier.add([job('b1')])
    expect(taken(delivery)).toBe('b1')
    expect(await look(courier)).toBeNull()
  })

  it('blocks of the same name in two runs are two jobs', async () => {
    const { courier } = await open()
    await courier.add([job('b1'), job('b1', { runId: 'run-2' })])
    expect(await drain(courier)).toEqual(['b1', 'b1'])
  })

  it('what is done is over, and may be added anew', async () => {
    const { courier } = await open()
    await courier.add([job('b1')])
    const delivery = await look(courier)
    await delivery?.done()
    await delivery?.done()
    await delivery?.giveBack()
    expect(await look(courier)).toBeNull()
    await courier.add([job('b1')])
    expect(taken(await look(courier))).toBe('b1')
  })

  it('what is given back waits for somebody else', async () => {
    const { courier } = await open()
    await courier.add([job('b1')])
    const first = await look(courier)
    await first?.giveBack()
    const second = await look(courier)
    expect(taken(second)).toBe('b1')
    await first?.done()
    await second?.giveBack()
    expect(taken(await look(courier))).toBe('b1')
  })

  it('no two consumers have the same job, and none is left', async () => {
    const { courier } = await open()
    const ids = Array.from({ length: 40 }, (_, index) => `b${index}`)
    const consumers = Array.from({ length: 8 }, async () => {
      const mine: string[] = []
      for (;;) {
        const delivery = await courier.next({ pool: defaultPool, waitMillis: 100 })
        if (delivery === null) return mine
        mine.push(delivery.blockId)
        await delivery.done()
      }
    })
    await courier.add(ids.map((id) => job(id)))
    const all = (await Promise.all(consumers)).flat()
    expect(all.toSorted()).toEqual(ids.toSorted())
    expect(await courier.depth()).toBe(0)
  })
}

const waitingTests = (open: () => Promise<CourierUnderTest>): void => {
  it('a consumer that waits gets a job as soon as it is added', async () => {
    const { courier } = await open()
    const waiting = wait(courier)
    await courier.add([job('b1')])
    expect(taken(await waiting)).toBe('b1')
  })

  it('a consumer that waits gets a job as soon as it is given back', async () => {
    const { courier } = await open()
    await courier.add([job('b1')])
    const delivery = await look(courier)
    const waiting = wait(courier)
    await delivery?.giveBack()
    expect(taken(await waiting)).toBe('b1')
  })

  it('a wait ends with nothing when its time is over', async () => {
    const { courier } = await open()
    expect(await courier.next({ pool: defaultPool, waitMillis: 20 })).toBeNull()
    await courier.add([job('b1')])
    expect(taken(await look(courier))).toBe('b1')
  })

  it('a wait ends with nothing when its signal is raised, and takes no job with it', async () => {
    const { courier } = await open()
    const controller = new AbortController()
    const waiting = wait(courier, controller.signal)
    controller.abort()
    expect(await waiting).toBeNull()
    await courier.add([job('b1')])
    expect(await wait(courier, controller.signal)).toBeNull()
    expect(taken(await look(courier))).toBe('b1')
  })

  it('a wait ends with nothing when the courier is closed, and later ones at once', async () => {
    const { courier } = await open()
    const waiting = wait(courier)
    await courier.close()
    expect(await waiting).toBeNull()
    expect(await wait(courier)).toBeNull()
  })
}

const poolTests = (open: () => Promise<CourierUnderTest>): void => {
  it('each pool has its own jobs', async () => {
    const { courier } = await open()
    await courier.add([job('b1', { pool: 'arm' }), job('b2', { pool: 'x86' })])
    expect(await drain(courier)).toEqual([])
    expect(await drain(courier, 'x86')).toEqual(['b2'])
    expect(await drain(courier, 'arm')).toEqual(['b1'])
  })

  it('a paused pool delivers nothing until it is resumed; other pools go on', async () => {
    const { courier } = await open()
    await courier.pause(defaultPool)
    await courier.pause(defaultPool)
    await courier.add([job('b1'), job('b2', { pool: 'other' })])
    expect(await look(courier)).toBeNull()
    expect(taken(await look(courier, 'other'))).toBe('b2')
    const waiting = wait(courier)
    await courier.resume(defaultPool)
    expect(taken(await waiting)).toBe('b1')
  })

  it('a run can be forgotten; its deliveries then end in nothing', async () => {
    const { courier } = await open()
    const many = Array.from({ length: 30 }, (_, index) => job(`b${index}`))
    await courier.add([...many, job('left', { runId: 'run-10' })])
    const delivery = await look(courier)
    await courier.remove('run-1')
    await delivery?.giveBack()
    expect(await drain(courier)).toEqual(['left'])
  })

  it('depth counts what waits, in all pools', async () => {
    const { courier } = await open()
    expect(await courier.depth()).toBe(0)
    await courier.add([job('b1'), job('b2'), job('b3', { pool: 'other' })])
    expect(await courier.depth()).toBe(3)
    const delivery = await look(courier)
    expect(await courier.depth()).toBe(2)
    await delivery?.giveBack()
    expect(await courier.depth()).toBe(3)
  })
}

const lossTests = (open: (leaseMillis: number) => Promise<CourierUnderTest>): void => {
  it('a delivery that is not finished in time is delivered again, also to one who waits', async () => {
    const { courier } = await open(shortLease)
    await courier.add([job('b1')])
    const lost = await look(courier)
    expect(taken(lost)).toBe('b1')
    const again = await wait(courier)
    expect(taken(again)).toBe('b1')
    await lost?.done()
    await again?.giveBack()
    expect(taken(await look(courier))).toBe('b1')
  })

  it('jobs outlive a restart, waiting and delivered ones, and so does a pause', async () => {
    const { courier, restart } = await open(1_000)
    await courier.add([job('b1'), job('b2'), job('b3')])
    const [done, lost] = [await look(courier), await look(courier)]
    expect([taken(done), taken(lost)]).toEqual(['b1', 'b2'])
    await done?.done()
    await courier.pause('asleep')
    await courier.add([job('b4', { pool: 'asleep' })])
    const reopened = await restart()
    expect([taken(await wait(reopened)), taken(await wait(reopened))].toSorted()).toEqual([
      'b2',
      'b3',
    ])
    expect(await look(reopened, 'asleep')).toBeNull()
  })
}

/** Runs the suite against one kind of courier. */
export const courierConformance = (name: string, openCourier: OpenCourier): void => {
  const open = async (leaseMillis = longLease): Promise<CourierUnderTest> => {
    const opened = await openCourier(leaseMillis)
    onTestFinished(() => opened.close())
    return opened
  }
  describe(`${name}: delivering`, () => deliveryTests(open))
  describe(`${name}: waiting`, () => waitingTests(open))
  describe(`${name}: pools and runs`, () => poolTests(open))
  describe(`${name}: losing`, () => lossTests(open))
}
