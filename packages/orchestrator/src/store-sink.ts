/** A sink over the store of this process: the command line measures into it directly. */
import type { Store } from '@assay/store'
import type { Sink } from './sink.ts'

/** How long a take holds without renewal, unless somebody says so: six renewals and some slack. */
export const defaultLeaseMillis = 60_000

/** Writes of a worker into `store`; tokens come from `newToken`. */
export const storeSink = (
  store: Store,
  newToken: () => string,
  leaseMillis: number = defaultLeaseMillis,
): Sink => ({
  take: async (block, { worker, fingerprint }) =>
    store.blocks.take({ ...block, worker, fingerprint, token: newToken(), leaseMillis }),
  renew: async (token) => store.blocks.renew({ token, leaseMillis }),
  putRound: async (block, request) => {
    store.blocks.checkToken(request.token, block)
    store.rounds.put(request)
  },
  finish: async (block, request) => {
    store.blocks.checkToken(request.token, block)
    store.blocks.finish(request)
  },
  release: async (block, request) => {
    store.blocks.checkToken(request.token, block)
    store.blocks.release(request)
  },
})
