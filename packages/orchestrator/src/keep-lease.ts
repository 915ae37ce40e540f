/**
 * Keeps a taken block's lease while it is measured: one timer, asleep but for a short renewal now
 * and then. Aborts when the run was cancelled, the token went stale, or no renewal succeeded for
 * three quarters of the lease: then another may soon hold the block, and this worker must stop.
 */
import { AssayError } from '@assay/model'
import { leaseLost } from './errors.ts'
import type { Sink } from './sink.ts'

/** Renewals in a lease: of a minute's, one every nine seconds. */
const renewalShare = 0.15

/** How much of a lease a worker that cannot renew goes on: 45 s of a minute, five renewals. */
const giveUpShare = 0.75

/** What is kept, and the clock: one that a change of the wall clock or a stop does not move. */
export interface LeaseTerms {
  readonly token: string
  readonly leaseMillis: number
  readonly bootMillis: () => number
}

/** A lease being kept. */
export interface KeptLease {
  /** Aborts with the reason when the lease is lost. */
  readonly signal: AbortSignal
  /**
   * Loses the lease if its time is over: asked before each sample, since a process that was stopped
   * and continued comes to its next sample before its timers.
   */
  check(): void
  stop(): void
}

/** Begins to renew. */
export const keepLease = (
  sink: Pick<Sink, 'renew'>,
  { token, leaseMillis, bootMillis }: LeaseTerms,
): KeptLease => {
  const lost = new AbortController()
  const giveUpMillis = giveUpShare * leaseMillis
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
  const check = (): void => {
    if (bootMillis() - renewedAt < giveUpMillis) return
    const seconds = Number((giveUpMillis / 1000).toPrecision(2))
    lost.abort(leaseLost(`the lease could not be renewed for ${seconds} s`))
  }
  // Looked at here, since a request that gets no answer at all does not fail for a minute.
  const tick = (): void => {
    check()
    if (!lost.signal.aborted) void renew()
  }
  const timer = setInterval(tick, renewalShare * leaseMillis)
  return { signal: lost.signal, check, stop: () => clearInterval(timer) }
}
