/**
 * Keeps the one who measures off the processors of what is measured. The launcher and whatever else
 * this process starts later inherit its processors; a measured child is put elsewhere by `cpus` of
 * its request, and would inherit them too without it: pin both sides or none.
 */
import { readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { affinityMask, setAffinity } from './affinity.ts'
import { pinningFailed, processorsShared } from './errors.ts'
import { parseOnlineCpuList } from './processors.ts'
import { SystemFault } from './system-fault.ts'

const pinThread = (thread: number, mask: Buffer): void => {
  try {
    setAffinity(mask, thread)
  } catch (cause) {
    // It ended between the listing and here.
    if (cause instanceof SystemFault && cause.errno === constants.errno.ESRCH) return
    throw cause
  }
}

/**
 * Limits this process, with all its threads, to the processors of a list (`0,2-3`). Throws
 * `processors-garbled`, `processors-offline` and `pinning-failed` (a container without them).
 */
export const pinThisProcess = (cpus: string): void => {
  const mask = affinityMask(parseOnlineCpuList(cpus))
  const pinned = new Set<string>()
  try {
    // Again until no thread is new: one that was not pinned yet may have started another.
    for (let found = true; found; ) {
      const fresh = readdirSync('/proc/self/task').filter((thread) => !pinned.has(thread))
      found = fresh.length > 0
      for (const thread of fresh) {
        pinThread(Number(thread), mask)
        pinned.add(thread)
      }
    }
  } catch (cause) {
    throw pinningFailed(cpus, cause instanceof Error ? cause.message : String(cause))
  }
}

/**
 * Throws unless both sides are processors of this host, and none is on both: `processors-garbled`,
 * `processors-offline`, `processors-shared`. Asked before anything is stored for a run.
 */
export const checkPinning = (sides: {
  readonly child: string | null
  readonly driver: string | null
}): void => {
  const [children = [], driver = []] = [sides.child, sides.driver].map((cpus) =>
    cpus === null ? [] : parseOnlineCpuList(cpus),
  )
  const shared = children.filter((cpu) => driver.includes(cpu))
  if (shared.length > 0) throw processorsShared(shared)
}

/**
 * The text of a pinning in a fingerprint: `child=1 driver=0`; a side that is not pinned is left out,
 * and null is no pinning at all.
 */
export const pinningText = (sides: {
  readonly child: string | null
  readonly driver: string | null
}): string | null => {
  const child = sides.child === null ? [] : [`child=${sides.child}`]
  const driver = sides.driver === null ? [] : [`driver=${sides.driver}`]
  const parts = [...child, ...driver]
  return parts.length === 0 ? null : parts.join(' ')
}
