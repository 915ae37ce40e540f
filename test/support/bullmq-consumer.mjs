/**
 * A consumer that is there to be killed: takes one job from a queue over Redis, says so, and holds it
 * for ever. Arguments: the address of Redis, the prefix of the keys, the lease in milliseconds.
 */
import { writeSync } from 'node:fs'
import { defaultPool, openBullmqCourier } from '@assay/queue'

const [url, prefix, leaseMillis] = process.argv.slice(2)
const courier = await openBullmqCourier({
  ...{ url, prefix, leaseMillis: Number(leaseMillis) },
  isHeld: () => true,
})
const delivery = await courier.next({ pool: defaultPool, waitMillis: 60_000 })
writeSync(1, `${delivery?.blockId}\n`)
