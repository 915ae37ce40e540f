/**
 * Keeps a taken block's lease while it is measured: one timer, asleep but for a short renewal every
 * ten seconds. Aborts when the run was cancelled, the token went stale, or no renewal succeeded for
 * `giveUpMillis`: then another may hold the block, and this worker must stop at once.
 */
import { AssayError } from '@assay/model'
import { leaseLost } from './errors.ts'
import type { Sink } from './sink.ts'

/** How often a lease is renewed, and how long a worker that cannot renew goes on. */
export const renewEveryMillis = 10_000
export const giveUpMillis = 45_000

/** A lease being kept. */
export interface KeptLease {
  /** Aborts with the reason when the lease is lost. */
  readonly signal: AbortSignal
  stop(): void
}

/** Begins to renew; `bootMillis` is a clock that a change of the wall clock does not move. */
export const keepLease = (sink: Sink, token: string, bootMillis: () => number): KeptLease => {
  const lost = new AbortController()
  let renewedAt = bootMillis()
  const renew = async (): Promise<void> => {
    try {
      const { cancelled } = await sink.renew(token)
      renewedAt = bootMillis()
      if (cancelled) lost.abort(leaseLost('the run was cancelled'))
    } catch (error) {
      const stale = error instanceof AssayError && error.kind === 'gone'
      if (stale) lost.abort(leaseLost('another take holds it'))
      else if (bootMillis() - renewedAt > giveUpMillis) {
        lost.abort(leaseLost('the lease could not be renewed for 45 s'))
      }
    }
  }
  const timer = setInterval(() => void renew(), renewEveryMillis)
  return { signal: lost.signal, stop: () => clearInterval(timer) }
}
