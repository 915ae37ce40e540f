import { openBullmqCourier } from '@assay/queue'
import { afterAll, beforeAll } from 'vitest'
import { type RedisServer, startRedis } from '../support/redis-server.ts'
import { courierConformance, type OpenCourier } from './courier.ts'

let redis: RedisServer
let queues = 0
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis?.remove())

const openBullmq: OpenCourier = async (leaseMillis) => {
  queues += 1
  const prefix = `test-${queues}`
  const open = () =>
    openBullmqCourier({
      ...{ url: redis.url, prefix, leaseMillis },
      onTrouble: (trouble) => {
        throw trouble
      },
    })
  let courier = await open()
  return {
    courier,
    restart: async () => {
      await courier.close()
      courier = await open()
      return courier
    },
    close: () => courier.close(),
  }
}

courierConformance('bullmq', openBullmq)
