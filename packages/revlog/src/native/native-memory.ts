/**
 * Memory of the C library, for calls that keep pointers into it between two calls: a stream's state
 * and its two buffers. Ordinary buffers of JavaScript may be moved and are not for that.
 */
import { loadKoffi } from './load-koffi.ts'

/** A zeroed block of memory until release(). */
export interface NativeMemory {
  readonly address: bigint
  /** The block itself. Not to be used after release(). */
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Frees the block; the second call does nothing. */
  release(): void
}

/** Takes a block of memory. Throws a plain Error where there is none or koffi is missing. */
export function allocateNative(sizeBytes: number): NativeMemory {
  const { calloc, free } = loadCalls()
  const address = calloc(1, sizeBytes)
  if (address === null || address === 0n) throw new Error(`no memory for ${sizeBytes} bytes`)
  const memory: ArrayBuffer = loadKoffi().view(address, sizeBytes)
  let held = true
  return {
    address,
    bytes: new Uint8Array(memory),
    view: new DataView(memory),
    release() {
      if (held) free(address)
      held = false
    },
  }
}

interface MemoryCalls {
  readonly calloc: (count: number, sizeBytes: number) => bigint | null
  readonly free: (address: bigint) => void
}

let bound: MemoryCalls | undefined

function loadCalls(): MemoryCalls {
  bound ??= bindCalls()
  return bound
}

function bindCalls(): MemoryCalls {
  const libc = loadKoffi().load('libc.so.6')
  return {
    calloc: libc.func('void *calloc(size_t, size_t)'),
    free: libc.func('void free(void *)'),
  }
}
