/** How blocks reach workers: one small port, and the courier that needs nothing but the store. */
export { type Courier, type Delivery, defaultPool, type Job, type NextRequest } from './courier.ts'
export { type EmbeddedCourierOptions, openEmbeddedCourier } from './embedded-courier.ts'
