/**
 * The few calls of the C library that mapping a file needs, bound on first use. Addresses are
 * bigints, as koffi gives them; what may be done with them and when is bytes/mapped-file.ts's care.
 */
import { loadKoffi } from './load-koffi.ts'

/** The calls; each errno is 0 for success. Replaceable, so that a missing feature can be tested. */
export interface MappingCalls {
  /** mmap of the first `sizeBytes` of `fd`, private and read-only. */
  map(fd: number, sizeBytes: number, populate: boolean): { address: bigint; errno: number }
  /** munmap. */
  unmap(address: bigint, sizeBytes: number): number
  /** madvise, in this thread. */
  advise(address: bigint, sizeBytes: number, advice: number): number
  /** madvise, in another thread; `done` is called from the event loop with the errno. */
  adviseInThread(region: MappedRegion, advice: number, done: (errno: number) => void): void
  /** The region as memory, without a copy. It is not detachable: it must be dropped before unmap. */
  view(address: bigint, sizeBytes: number): ArrayBuffer
  /** _exit: leaves at once, without waiting for threads. */
  exitNow(status: number): void
}

/** An address range. */
export interface MappedRegion {
  readonly address: bigint
  readonly sizeBytes: number
}

/** mman.h, Linux. */
const PROT_READ = 1
const MAP_PRIVATE = 2
const MAP_POPULATE = 0x8000
/** (void *) -1. */
const MAP_FAILED = 0xffff_ffff_ffff_ffffn

/** madvise(2): read the pages in and map them now. Linux 5.14. */
export const MADV_POPULATE_READ = 22

let bound: MappingCalls | undefined

/** The real calls. Throws when koffi or the C library cannot be loaded. */
export function loadMappingCalls(): MappingCalls {
  bound ??= bindMappingCalls()
  return bound
}

function bindMappingCalls(): MappingCalls {
  const koffi = loadKoffi()
  // The process itself: Node links the C library, whatever its file is called.
  const libc = koffi.load(null)
  const mmap = libc.func('void *mmap(void *, size_t, int, int, int, int64_t)')
  const munmap = libc.func('int munmap(void *, size_t)')
  const madvise = libc.func('int madvise(void *, size_t, int)')
  const exit = libc.func('void _exit(int)')
  const errnoOf = (status: number): number => (status === 0 ? 0 : koffi.errno())
  return {
    map(fd, sizeBytes, populate) {
      const flags = MAP_PRIVATE | (populate ? MAP_POPULATE : 0)
      const address: bigint = mmap(null, sizeBytes, PROT_READ, flags, fd, 0)
      return { address, errno: address === MAP_FAILED ? koffi.errno() : 0 }
    },
    unmap: (address, sizeBytes) => errnoOf(munmap(address, sizeBytes)),
    advise: (address, sizeBytes, advice) => errnoOf(madvise(address, sizeBytes, advice)),
    adviseInThread({ address, sizeBytes }, advice, done) {
      madvise.async(address, sizeBytes, advice, (error: unknown, status: number) => {
        // errno belongs to the other thread and is gone here; populating is advice, so that it
        // failed is all that can matter.
        done(error === null && status === 0 ? 0 : 1)
      })
    },
    view: (address, sizeBytes) => koffi.view(address, sizeBytes),
    exitNow: (status) => {
      exit(status)
    },
  }
}
