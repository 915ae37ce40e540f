/**
 * A child process behind three pipes that are read and written synchronously: Node's own children
 * need the event loop, which a command that does one thing after another does not have. Its standard
 * error is taken whenever the other pipes are waited for, so that neither side can block the other.
 */
import { closeSync, readSync, writeSync } from 'node:fs'
import { type ByteInput, pulledInput } from '../bytes/byte-input.ts'
import { codeOf, RevlogError, reasonOf } from '../errors.ts'
import { type ChildCalls, loadChildCalls, type PipeEnds, POLL_IN, POLL_OUT } from './child-calls.ts'

/** How to start a child. */
export interface PipedChildOptions {
  /** For messages. */
  readonly name: string
  /** A line for the shell. */
  readonly command: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Given what the child writes to its standard error. */
  readonly onErrorBytes: (bytes: Uint8Array) => void
  /** A child that is silent for longer is given up. */
  readonly silenceMillis: number
}

/** A child until close(). */
export interface PipedChild {
  /** Its standard output. */
  readonly output: ByteInput
  /** Writes all of it to the child's standard input. Throws `protocol` when the child is gone. */
  write(bytes: Uint8Array): void
  /** Ends the input, takes what the child still says, and waits for its end; gives its wait status. */
  close(): number
}

const PIECE_BYTES = 131_072

/** Starts the child. Throws `native-missing` without a way to call the C library, `system`. */
export function startPipedChild(options: PipedChildOptions): PipedChild {
  const calls = loadChildCalls()
  const input = calls.makePipe()
  const output = calls.makePipe()
  const errors = calls.makePipe()
  const childEnds = [input.readFd, output.writeFd, errors.writeFd]
  try {
    const pid = calls.spawnShell(options.command, options.env, childEnds)
    calls.setNonBlocking(input.writeFd)
    return new Child(options, calls, { pid, input, output, errors })
  } catch (error) {
    for (const fd of [input.writeFd, output.readFd, errors.readFd]) closeSync(fd)
    throw error
  } finally {
    for (const fd of childEnds) closeSync(fd)
  }
}

interface Started {
  readonly pid: number
  readonly input: PipeEnds
  readonly output: PipeEnds
  readonly errors: PipeEnds
}

class Child implements PipedChild {
  readonly output: ByteInput
  readonly #options: PipedChildOptions
  readonly #calls: ChildCalls
  readonly #started: Started
  #errorsOpen = true
  #status: number | undefined

  constructor(options: PipedChildOptions, calls: ChildCalls, started: Started) {
    this.#options = options
    this.#calls = calls
    this.#started = started
    this.output = pulledInput(options.name, () => this.#readOutput())
  }

  write(bytes: Uint8Array): void {
    const fd = this.#started.input.writeFd
    for (let written = 0; written < bytes.length; ) {
      try {
        written += writeSync(fd, bytes, written)
      } catch (cause) {
        if (codeOf(cause) !== 'EAGAIN') throw this.#gone(cause)
        this.#wait(fd, POLL_OUT)
      }
    }
  }

  close(): number {
    if (this.#status !== undefined) return this.#status
    const { pid, input, output, errors } = this.#started
    closeSync(input.writeFd)
    // Who still writes there shall notice that nobody reads.
    closeSync(output.readFd)
    try {
      const waits = [{ fd: errors.readFd, events: POLL_IN }]
      while (this.#errorsOpen) {
        if (this.#calls.poll(waits, this.#options.silenceMillis).includes(true)) this.#takeErrors()
        else {
          killIfThere(pid)
          break
        }
      }
    } finally {
      closeSync(errors.readFd)
      this.#status = this.#calls.waitFor(pid)
    }
    return this.#status
  }

  #readOutput(): Uint8Array {
    const fd = this.#started.output.readFd
    this.#wait(fd, POLL_IN)
    const piece = new Uint8Array(PIECE_BYTES)
    return piece.subarray(0, readSync(fd, piece, 0, piece.length, null))
  }

  /** Waits for one of the main pipes, and takes standard error meanwhile and before. */
  #wait(fd: number, events: number): void {
    for (;;) {
      const waits = [{ fd, events }]
      if (this.#errorsOpen) waits.push({ fd: this.#started.errors.readFd, events: POLL_IN })
      const [isReady, hasErrors] = this.#waitFor(waits)
      if (hasErrors === true) this.#takeErrors()
      if (isReady === true) return
    }
  }

  #waitFor(waits: readonly { readonly fd: number; readonly events: number }[]): boolean[] {
    const ready = this.#calls.poll(waits, this.#options.silenceMillis)
    if (ready.includes(true)) return ready
    const seconds = this.#options.silenceMillis / 1000
    throw new RevlogError('protocol', `${this.#options.name}: silent for ${seconds} s: given up`)
  }

  #takeErrors(): void {
    const piece = new Uint8Array(PIECE_BYTES)
    const count = readSync(this.#started.errors.readFd, piece, 0, piece.length, null)
    if (count === 0) this.#errorsOpen = false
    else this.#options.onErrorBytes(piece.subarray(0, count))
  }

  #gone(cause: unknown): RevlogError {
    const { name } = this.#options
    return new RevlogError('protocol', `${name}: the connection is closed: ${reasonOf(cause)}`, {
      cause,
    })
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (cause) {
    if (codeOf(cause) !== 'ESRCH') throw new RevlogError('system', reasonOf(cause), { cause })
  }
}
