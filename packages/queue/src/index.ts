/** How blocks reach workers: one small port, and two couriers: over the store alone, over Redis. */

export { defaultPool } from '@assay/model'
export type { BullmqCourierOptions } from './bullmq-courier.ts'
export type { BlockNames } from './bullmq-job.ts'
export type { Courier, Delivery, Job, NextRequest } from './courier.ts'
export { type EmbeddedCourierOptions, openEmbeddedCourier } from './embedded-courier.ts'
export { openBullmqCourier } from './open-bullmq-courier.ts'
