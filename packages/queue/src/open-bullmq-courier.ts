/**
 * The way to the courier over Redis that loads BullMQ only where a Redis is named: reading it takes
 * half a second, which every command of every user would pay.
 */
import type { BullmqCourierOptions } from './bullmq-courier.ts'
import type { Courier } from './courier.ts'

/**
 * Connects and opens the courier. Errors: `queue-unreachable`, `queue-refused`, `queue-unsuitable`,
 * `queue-address-invalid`. Closing it gives back what it had delivered.
 */
export const openBullmqCourier = async (options: BullmqCourierOptions): Promise<Courier> => {
  const { connectBullmqCourier } = await import('./bullmq-courier.ts')
  return connectBullmqCourier(options)
}
