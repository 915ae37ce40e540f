/**
 * One read-only mapping of a file, which it owns: unmapped exactly once, never readable afterwards.
 * Both matter more than anywhere else in the program: reading an unmapped page ends the process with
 * SIGSEGV, and unmapping twice may tear down a foreign mapping that got the same address meanwhile.
 * Nothing here protects against another program that truncates the file under us (SIGBUS): measured
 * work runs in its own process, where that is one failed run.
 */
import { RevlogError, reasonOf } from '../errors.ts'
import { MADV_POPULATE_READ, type MappingCalls } from '../native/libc.ts'

/** What to map. */
export interface MapFileOptions {
  readonly fd: number
  readonly sizeBytes: number
  /** Map with MAP_POPULATE: every page is there when the call returns. */
  readonly populate: boolean
  /** The file's name, for messages. */
  readonly name: string
  readonly calls: MappingCalls
}

/** Populating threads that still run, in all mappings of this process. */
let populatingCount = 0

/** True while a second thread still populates some mapping: leaving the normal way would wait for it. */
export function isPopulating(): boolean {
  return populatingCount > 0
}

/** True if the kernel knows MADV_POPULATE_READ: an empty range is judged by the advice alone. */
export function canPopulate(calls: MappingCalls): boolean {
  return calls.advise(0n, 0, MADV_POPULATE_READ) === 0
}

/** Maps a file that is not empty; says in words why it could not. */
export function mapFile(options: MapFileOptions): MappedFile | string {
  const { address, errno } = options.calls.map(options.fd, options.sizeBytes, options.populate)
  if (errno !== 0) return `mmap failed with errno ${errno}`
  return new MappedFile(address, options)
}

/** A mapping from mapFile() until close(). */
export class MappedFile {
  readonly sizeBytes: number
  readonly #name: string
  readonly #calls: MappingCalls
  readonly #address: bigint
  /** One view per mapping: making a large one costs the garbage collector a full mark. */
  #view: Uint8Array | undefined
  #populating = false

  constructor(address: bigint, options: MapFileOptions) {
    this.sizeBytes = options.sizeBytes
    this.#name = options.name
    this.#calls = options.calls
    this.#address = address
    this.#view = new Uint8Array(options.calls.view(address, options.sizeBytes))
  }

  /** The mapped bytes, always the same view. Throws `closed` after close(). */
  bytes(): Uint8Array {
    if (this.#view === undefined) {
      throw new RevlogError('closed', `${this.#name}: used after close()`)
    }
    return this.#view
  }

  /**
   * Starts to populate in a second thread and returns at once; says in words why it could not.
   * That the advice itself fails is ignored: pages then come in when they are touched.
   */
  populateInThread(): string | undefined {
    this.bytes()
    const region = { address: this.#address, sizeBytes: this.sizeBytes }
    try {
      this.#calls.adviseInThread(region, MADV_POPULATE_READ, () => this.#populated())
    } catch (error) {
      return `no second thread: ${reasonOf(error)}`
    }
    this.#populating = true
    populatingCount++
    return undefined
  }

  /** Populates before it returns. */
  populateNow(): void {
    this.bytes()
    this.#calls.advise(this.#address, this.sizeBytes, MADV_POPULATE_READ)
  }

  /** Unmaps, or leaves that to the populating thread's end; the second call does nothing. */
  close(): void {
    if (this.#view === undefined) return
    this.#view = undefined
    if (!this.#populating) this.#unmap()
  }

  #populated(): void {
    populatingCount--
    this.#populating = false
    // close() came while the thread ran and left the unmapping to this moment.
    if (this.#view === undefined) this.#unmap()
  }

  #unmap(): void {
    const errno = this.#calls.unmap(this.#address, this.sizeBytes)
    if (errno !== 0) {
      throw new RevlogError('system', `${this.#name}: munmap failed with errno ${errno}`)
    }
  }
}
