/**
 * The launcher as a process: which program it is, its start, one request and answer at a time, its
 * end. What requests mean is left to launcher.ts.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launcherClosed, launcherDied, launcherGarbled, launcherMissing } from './errors.ts'
import { type Answer, parseAnswer } from './protocol.ts'

/**
 * `native`: the compiled one. `koffi`: the fallback in Node; it measures time alike, but cannot
 * know memory.
 */
export type LauncherKind = 'native' | 'koffi'

/** The programs: from src/ as from dist/, the folder of those compiled is a neighbour. */
export const launcherPrograms = {
  native: fileURLToPath(new URL('../dist/assay-launcher', import.meta.url)),
  koffi: fileURLToPath(new URL('../dist/koffi-launcher/main.js', import.meta.url)),
} as const satisfies Record<LauncherKind, string>

const isThere = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false // absent and unusable come to the same: the other launcher is used
  }
}

/** The kind that will be used where none is asked for: native if it was built. */
export const defaultLauncherKind = (): LauncherKind =>
  isThere(launcherPrograms.native, constants.X_OK) ? 'native' : 'koffi'

const commandOf = (kind: LauncherKind): readonly [string, ...string[]] => {
  const program = launcherPrograms[kind]
  if (!isThere(program, kind === 'native' ? constants.X_OK : constants.R_OK))
    throw launcherMissing(program)
  const parent = `--parent=${process.pid}`
  return kind === 'native' ? [program, parent] : [process.execPath, program, parent]
}

/** How long a closed launcher may take to kill what is left before it is killed itself. */
const closeGraceMillis = 5000
/** Enough of a launcher's last words for an error message. */
const lastWordsLength = 2000

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: unknown) => void
}

/** A running launcher; opened by `startLauncher`. */
export class LauncherProcess {
  readonly kind: LauncherKind
  /** The launcher's first answer. */
  readonly ready: Promise<Answer>
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #ended: Promise<void>
  #waiting: Waiting | null = null
  #failure: Error | null = null
  #closing = false
  #lastWords = ''
  /** The children's process groups, where they would survive their launcher. */
  #orphanGroups: readonly number[] = []

  constructor(kind: LauncherKind) {
    const [program, ...rest] = commandOf(kind)
    this.kind = kind
    this.ready = this.#answer()
    // Detached: an interrupt at the terminal is for this process, which decides what becomes of the
    // child. Nothing is inherited but the three pipes.
    this.#child = spawn(program, rest, { cwd: '/', env: {}, detached: true, stdio: 'pipe' })
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#end(signal === null ? `exit code ${code}` : signal)
        resolve()
      })
    })
    this.#child.once('error', (cause) => this.#fail(launcherDied(cause.message)))
    // A launcher that died does not read: its end is told by `close`, not by a broken pipe.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-lastWordsLength)
    })
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#read(line))
  }

  /** The launcher's process id; 0 when it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Sends a line without waiting for anything. */
  send(line: string): void {
    this.#child.stdin.write(`${line}\n`)
  }

  /** Sends a line and waits for its answer. One at a time: the caller sees to it. */
  ask(line: string): Promise<Answer> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    if (this.#closing) return Promise.reject(launcherClosed())
    const answer = this.#answer()
    this.send(line)
    return answer
  }

  /** Ends the launcher at once. What it runs would be left to itself: only before the first run. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Ends the launcher and whatever it runs; returns when it has ended. */
  async close(): Promise<void> {
    this.#closing = true
    this.#child.stdin.end()
    const patience = new AbortController()
    const impatience = sleep(closeGraceMillis, undefined, { signal: patience.signal }).then(
      () => void this.#child.kill('SIGKILL'),
      () => undefined,
    )
    await this.#ended
    patience.abort()
    await impatience
  }

  #answer(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  #read(line: string): void {
    try {
      const answer = parseAnswer(line)
      if (answer.type === 'started') {
        this.#orphanGroups = [...this.#orphanGroups, answer.group]
        return
      }
      this.#orphanGroups = []
      const waiting = this.#waiting
      this.#waiting = null
      if (waiting === null) throw launcherGarbled(line)
      waiting.resolve(answer)
    } catch (garbled) {
      this.#fail(garbled instanceof Error ? garbled : launcherDied(String(garbled)))
      this.#child.kill('SIGKILL')
    }
  }

  #end(how: string): void {
    for (const group of this.#orphanGroups) killGroup(group)
    const words = this.#lastWords.trim()
    const detail = words === '' ? how : `${how}: ${words}`
    this.#fail(this.#closing ? launcherClosed() : launcherDied(detail))
  }

  #fail(failure: Error): void {
    this.#failure ??= failure
    this.#waiting?.reject(this.#failure)
    this.#waiting = null
  }
}

const killGroup = (group: number): void => {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It has ended by itself: nothing is left to kill.
  }
}
