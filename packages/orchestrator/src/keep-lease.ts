/**
 * Keeps a taken block's lease while it is measured: one timer, asleep but for a short renewal every
 * nine seconds. Aborts when the run was cancelled, the token went stale, or no renewal succeeded for
 * 45 s: then another may hold the block, and this worker must stop at once.
 */
import { AssayError } from '@assay/model'
import { leaseLost } from './errors.ts'
import type { Sink } from './sink.ts'

/** How often a lease is renewed. */
const tickMillis = 9_000

/** How long a worker that cannot renew goes on: five ticks, well within the lease of a minute. */
const giveUpMillis = 45_000

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
    const askedAt = bootMillis()
    try {
      const { cancelled } = await sink.renew(token)
      renewedAt = Math.max(renewedAt, askedAt)
      if (cancelled) lost.abort(leaseLost('the run was cancelled'))
    } catch (error) {
      // Any other failure may pass; if it does not, time runs out.
      const stale = error instanceof AssayError && error.kind === 'gone'
      if (stale) lost.abort(leaseLost('another take holds it'))
    }
  }
  const tick = (): void => {
    // Looked at here, since a request that gets no answer at all does not fail for a minute.
    const isOut = bootMillis() - renewedAt >= giveUpMillis
    if (isOut) lost.abort(leaseLost('the lease could not be renewed for 45 s'))
    else void renew()
  }
  const timer = setInterval(tick, tickMillis)
  return { signal: lost.signal, stop: () => clearInterval(timer) }
}
