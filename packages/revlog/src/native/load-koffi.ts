/**
 * Loads the foreign-function library on first use, from ECMAScript sources as from the bundled
 * CommonJS program. It is here because koffi's own loader costs about 8 ms of start-up, more than
 * everything else in the program: twice it finds out which C library Node runs on and then loads
 * the native part, which takes 2 ms by itself. What is bound through it is left to its neighbours.
 */
import { createRequire } from 'node:module'
import type koffi from 'koffi'

/** The default export of koffi. */
export type Koffi = typeof koffi

/**
 * The native part for glibc, in the package that koffi installs beside itself; all that its loader
 * adds are names of older versions.
 */
const NATIVE_PART = `@koromix/koffi-linux-${process.arch}/linux_${process.arch}/koffi.node`

let loaded: Koffi | undefined

/** koffi, loaded once. Throws Node's own `MODULE_NOT_FOUND` when its native part is absent. */
export function loadKoffi(): Koffi {
  loaded ??= loadNativePart()
  return loaded
}

function loadNativePart(): Koffi {
  // In the CommonJS bundle import.meta.url is empty and __filename is there instead.
  const requireHere = createRequire(import.meta.url ?? __filename)
  try {
    return requireHere(NATIVE_PART)
  } catch {
    // Another C library or another layout of node_modules: koffi's own loader knows its way.
    return requireHere('koffi')
  }
}
