/**
 * Loads the foreign-function library on first use, from ECMAScript sources as from the bundled
 * CommonJS program. It is here because koffi costs about 5 ms of start-up that most commands on
 * small files never need. What is bound through it is left to its neighbours.
 */
import { createRequire } from 'node:module'
import type koffi from 'koffi'

/** The default export of koffi. */
export type Koffi = typeof koffi

let loaded: Koffi | undefined

/** koffi, loaded once. Throws Node's own `MODULE_NOT_FOUND` when its native part is absent. */
export function loadKoffi(): Koffi {
  if (loaded === undefined) {
    // In the CommonJS bundle import.meta.url is empty and __filename is there instead.
    const requireHere = createRequire(import.meta.url ?? __filename)
    loaded = requireHere('koffi')
  }
  if (loaded === undefined) throw new Error('koffi loaded as nothing')
  return loaded
}
