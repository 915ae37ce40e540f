/**
 * The few calls of the C library that a child behind pipes needs, bound on first use. posix_spawn,
 * not fork: it is safe in a process with threads, and copies nothing.
 */
import { RevlogError, reasonOf } from '../errors.ts'
import { loadKoffi } from '../native/load-koffi.ts'

/** Both ends of a pipe. */
export interface PipeEnds {
  readonly readFd: number
  readonly writeFd: number
}

/** The calls. All throw `system`. */
export interface ChildCalls {
  /** A pipe that no other child inherits. */
  makePipe(): PipeEnds
  setNonBlocking(fd: number): void
  /** Starts `/bin/sh -c command` with these descriptors as 0, 1 and 2; gives its process id. */
  spawnShell(
    command: string,
    env: Readonly<Record<string, string | undefined>>,
    fds: readonly number[],
  ): number
  /** Waits until a descriptor is ready or at its end; all false after the time. */
  poll(
    waits: readonly { readonly fd: number; readonly events: number }[],
    timeoutMillis: number,
  ): boolean[]
  /** Waits for the process's end; gives its wait status. */
  waitFor(pid: number): number
}

/** poll(2). */
export const POLL_IN = 1
export const POLL_OUT = 4

/** Linux: fcntl.h, errno.h, signal.h, spawn.h. */
const O_CLOEXEC = 0o2000000
const O_NONBLOCK = 0o4000
const F_SETFL = 4
const EINTR = 4
const SIGPIPE = 13
const POSIX_SPAWN_SETSIGDEF = 4
/** glibc's posix_spawnattr_t has 336 bytes, its posix_spawn_file_actions_t 80, sigset_t 128. */
const ATTRIBUTES_BYTES = 512
const ACTIONS_BYTES = 256
const SIGNAL_SET_BYTES = 128
const POLL_ENTRY_BYTES = 8

let bound: ChildCalls | undefined

/** The calls. Throws `native-missing` when they cannot be bound. */
export function loadChildCalls(): ChildCalls {
  try {
    bound ??= bindChildCalls()
    return bound
  } catch (cause) {
    throw new RevlogError('native-missing', `ssh needs the C library: ${reasonOf(cause)}`, {
      cause,
    })
  }
}

function bindChildCalls(): ChildCalls {
  const koffi = loadKoffi()
  const libc = koffi.load('libc.so.6')
  const pipe2 = libc.func('int pipe2(void *, int)')
  const fcntl = libc.func('int fcntl(int, int, int)')
  const poll = libc.func('int poll(void *, unsigned long, int)')
  const waitpid = libc.func('int waitpid(int, void *, int)')
  const spawn = libc.func(
    'int posix_spawn(void *, const char *, void *, void *, const char **, const char **)',
  )
  const initActions = libc.func('int posix_spawn_file_actions_init(void *)')
  const addDup = libc.func('int posix_spawn_file_actions_adddup2(void *, int, int)')
  const destroyActions = libc.func('int posix_spawn_file_actions_destroy(void *)')
  const initAttributes = libc.func('int posix_spawnattr_init(void *)')
  const setDefaults = libc.func('int posix_spawnattr_setsigdefault(void *, void *)')
  const setFlags = libc.func('int posix_spawnattr_setflags(void *, short)')
  const check = (call: string, errno: number): void => {
    if (errno !== 0) throw new RevlogError('system', `${call} failed: error ${errno}`)
  }
  const orErrno = (call: string, status: number): void =>
    check(call, status < 0 ? koffi.errno() : 0)
  return {
    makePipe() {
      const fds = new Int32Array(2)
      orErrno('pipe2', pipe2(fds, O_CLOEXEC))
      const [readFd = -1, writeFd = -1] = fds
      return { readFd, writeFd }
    },
    setNonBlocking: (fd) => orErrno('fcntl', fcntl(fd, F_SETFL, O_NONBLOCK)),
    spawnShell(command, env, fds) {
      const actions = new Uint8Array(ACTIONS_BYTES)
      const attributes = new Uint8Array(ATTRIBUTES_BYTES)
      check('posix_spawn', initActions(actions))
      for (const [target, fd] of fds.entries()) check('posix_spawn', addDup(actions, fd, target))
      check('posix_spawn', initAttributes(attributes))
      // Node ignores SIGPIPE, and a child would inherit that.
      const signals = new Uint8Array(SIGNAL_SET_BYTES)
      signals[(SIGPIPE - 1) >> 3] = 1 << ((SIGPIPE - 1) & 7)
      check('posix_spawn', setDefaults(attributes, signals))
      check('posix_spawn', setFlags(attributes, POSIX_SPAWN_SETSIGDEF))
      const pid = new Int32Array(1)
      const argv = ['sh', '-c', command, null]
      const envp = [...environment(env), null]
      check('posix_spawn', spawn(pid, '/bin/sh', actions, attributes, argv, envp))
      destroyActions(actions)
      return pid[0] ?? -1
    },
    poll(waits, timeoutMillis) {
      const entries = Buffer.alloc(waits.length * POLL_ENTRY_BYTES)
      for (const [i, { fd, events }] of waits.entries()) {
        entries.writeInt32LE(fd, i * POLL_ENTRY_BYTES)
        entries.writeInt16LE(events, i * POLL_ENTRY_BYTES + 4)
      }
      let status = -1
      do status = poll(entries, waits.length, timeoutMillis)
      while (status < 0 && koffi.errno() === EINTR)
      orErrno('poll', status)
      return waits.map((_wait, i) => entries.readInt16LE(i * POLL_ENTRY_BYTES + 6) !== 0)
    },
    waitFor(pid) {
      const status = new Int32Array(1)
      let ended = -1
      do ended = waitpid(pid, status, 0)
      while (ended < 0 && koffi.errno() === EINTR)
      orErrno('waitpid', ended)
      return status[0] ?? 0
    },
  }
}

function environment(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
}
