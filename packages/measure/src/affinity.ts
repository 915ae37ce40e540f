/** Which processors a thread may use: sched_setaffinity(2), a foreign-function boundary. */
import koffi from 'koffi'
import { SystemFault } from './system-fault.ts'

/** The size of cpu_set_t: a bit for each processor. */
const affinityBytes = 128

type Affinity = (thread: number, bytes: number, mask: Buffer) => number

interface Foreign {
  readonly get: Affinity
  readonly set: Affinity
}

let foreign: Foreign | null = null

const load = (): Foreign => {
  if (foreign === null) {
    // The process itself: Node links the C library, whatever its file is called.
    const libc = koffi.load(null)
    // A foreign function has no type of its own: the declaration in the string is what it must be.
    foreign = {
      get: libc.func('int sched_getaffinity(int, unsigned long, void *)') as Affinity,
      set: libc.func('int sched_setaffinity(int, unsigned long, void *)') as Affinity,
    }
  }
  return foreign
}

const checked = (result: number): void => {
  if (result < 0) throw new SystemFault(koffi.errno())
}

/** The processors that a thread, and what it starts, may use: a bit each. Thread 0 is the calling one. */
export const getAffinity = (thread = 0): Buffer => {
  const mask = Buffer.alloc(affinityBytes)
  checked(load().get(thread, affinityBytes, mask))
  return mask
}

/** Sets what `getAffinity` reads; throws `SystemFault`. */
export const setAffinity = (mask: Buffer, thread = 0): void =>
  checked(load().set(thread, affinityBytes, mask))

/** Processors' numbers as a mask. */
export const affinityMask = (cpus: readonly number[]): Buffer => {
  const mask = Buffer.alloc(affinityBytes)
  for (const cpu of cpus) mask.writeUInt8(mask.readUInt8(cpu >> 3) | (1 << (cpu & 7)), cpu >> 3)
  return mask
}

/** The numbers of the processors that this process may use, ascending; throws `SystemFault`. */
export const usableProcessors = (): readonly number[] => {
  const mask = getAffinity()
  return Array.from({ length: affinityBytes * 8 }, (_, cpu) => cpu).filter(
    (cpu) => (mask.readUInt8(cpu >> 3) & (1 << (cpu & 7))) !== 0,
  )
}
