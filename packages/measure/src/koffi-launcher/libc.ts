/**
 * The system calls that Node lacks, by koffi: a foreign-function boundary. Structures are laid out
 * by hand for 64-bit little-endian Linux, the only platform measured on.
 */
import koffi from 'koffi'
import { SystemFault } from '../system-fault.ts'

// The process itself: Node links the C library, whatever its file is called.
const libc = koffi.load(null)
const foreign = {
  prctl: libc.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)'),
  syscall: libc.func('long syscall(long, long, long)'),
  ppoll: libc.func('int ppoll(void *, unsigned long, void *, void *)'),
  wait4: libc.func('int wait4(int, void *, int, void *)'),
  flock: libc.func('int flock(int, int)'),
  posixSpawn: libc.func(
    'int posix_spawn(void *, const char *, void *, void *, const char **, const char **)',
  ),
  attributesInit: libc.func('int posix_spawnattr_init(void *)'),
  attributesSetFlags: libc.func('int posix_spawnattr_setflags(void *, short)'),
  attributesSetDefault: libc.func('int posix_spawnattr_setsigdefault(void *, void *)'),
  attributesSetMask: libc.func('int posix_spawnattr_setsigmask(void *, void *)'),
  actionsInit: libc.func('int posix_spawn_file_actions_init(void *)'),
  actionsDestroy: libc.func('int posix_spawn_file_actions_destroy(void *)'),
  actionsAddDup2: libc.func('int posix_spawn_file_actions_adddup2(void *, int, int)'),
  actionsAddChdir: libc.func('int posix_spawn_file_actions_addchdir_np(void *, const char *)'),
  clockGettime: libc.func('int clock_gettime(int, void *)'),
}

const checked = (result: number): number => {
  if (result < 0) throw new SystemFault(koffi.errno())
  return result
}

// linux/prctl.h
const prSetPdeathsig = 1
const prSetChildSubreaper = 36
const sigterm = 15
const sigpipe = 13
const sigxfsz = 25

/** time.h */
const clockBoottime = 7

/** Nanoseconds on the one clock of the host that goes on while it is suspended. */
export const sinceBootNanoseconds = (): bigint => {
  const time = Buffer.alloc(16)
  checked(foreign.clockGettime(clockBoottime, time))
  return time.readBigInt64LE(0) * 1_000_000_000n + time.readBigInt64LE(8)
}

/** Asks for SIGTERM when the parent dies, and to inherit orphaned descendants. */
export const adoptDescendants = (): void => {
  checked(foreign.prctl(prSetPdeathsig, sigterm, 0, 0, 0))
  checked(foreign.prctl(prSetChildSubreaper, 1, 0, 0, 0))
}

/** The same number on every architecture; Linux 5.3. */
const sysPidfdOpen = 434

/** A descriptor that becomes readable when the process has ended. */
export const pidfdOpen = (pid: number): number => {
  const result: number = foreign.syscall(sysPidfdOpen, pid, 0)
  return checked(result)
}

// poll.h: struct pollfd { int fd; short events; short revents; }
const pollIn = 1
const pollSize = 8
const eintr = 4

/** Which descriptors are readable; `interrupted` when a signal came, nothing set when time is up. */
export const poll = (
  descriptors: readonly number[],
  nanoseconds: number | null,
): { readonly readable: readonly boolean[]; readonly interrupted: boolean } => {
  const sources = Buffer.alloc(pollSize * descriptors.length)
  descriptors.forEach((descriptor, at) => {
    sources.writeInt32LE(descriptor, at * pollSize)
    sources.writeInt16LE(pollIn, at * pollSize + 4)
  })
  const limit = Buffer.alloc(16)
  limit.writeBigInt64LE(BigInt(Math.floor((nanoseconds ?? 0) / 1e9)), 0)
  limit.writeBigInt64LE(BigInt(Math.floor((nanoseconds ?? 0) % 1e9)), 8)
  const limitOrNull = nanoseconds === null ? null : limit
  const ready: number = foreign.ppoll(sources, descriptors.length, limitOrNull, null)
  const interrupted = ready < 0 && koffi.errno() === eintr
  if (!interrupted) checked(ready)
  return {
    readable: descriptors.map((_, at) => ready > 0 && sources.readInt16LE(at * pollSize + 6) !== 0),
    interrupted,
  }
}

/** Do not wait (sys/wait.h). */
const wnohang = 1
const echild = 10

/** A child that ended: its raw status, and struct rusage as the kernel filled it. */
export interface Reaped {
  readonly pid: number
  readonly status: number
  readonly usage: Buffer
}

const wait4 = (pid: number, options: number): Reaped | null => {
  const status = Buffer.alloc(4)
  const usage = Buffer.alloc(144)
  const result: number = foreign.wait4(pid, status, options, usage)
  if (result < 0 && koffi.errno() === echild) return null
  return { pid: checked(result), status: status.readInt32LE(), usage }
}

/** Waits for one child; null when there is none of that id. */
export const reap = (pid: number): Reaped | null => wait4(pid, 0)

/** Any child that has ended; pid 0 when none has yet, null when there are no children. */
export const reapAny = (): Reaped | null => wait4(-1, wnohang)

const lockExclusive = 2
const lockNonBlocking = 4
const ewouldblock = 11

/** Whether the file could be locked exclusively, without waiting. */
export const tryLock = (descriptor: number): boolean => {
  const result: number = foreign.flock(descriptor, lockExclusive | lockNonBlocking)
  if (result < 0 && koffi.errno() === ewouldblock) return false
  checked(result)
  return true
}

// spawn.h
const spawnSetSignalDefault = 0x04
const spawnSetSignalMask = 0x08
const spawnSetSession = 0x80
// Larger than any C library's: glibc's are 336, 80 and 128 bytes.
const structureBytes = 512

const attributes = (): Buffer => {
  const result = Buffer.alloc(structureBytes)
  const defaults = Buffer.alloc(structureBytes)
  // Node ignores these two, which would be inherited.
  defaults.writeUInt32LE((1 << (sigpipe - 1)) | (1 << (sigxfsz - 1)))
  foreign.attributesInit(result)
  foreign.attributesSetDefault(result, defaults)
  foreign.attributesSetMask(result, Buffer.alloc(structureBytes))
  foreign.attributesSetFlags(result, spawnSetSignalDefault | spawnSetSignalMask | spawnSetSession)
  return result
}

/** What to start: `files` become descriptors 0, 1 and 2. */
export interface Spawn {
  readonly program: string
  readonly argv: readonly string[]
  readonly environment: readonly string[]
  readonly workingDirectory: string
  readonly files: readonly [number, number, number]
}

/** Prepares a start, so that nothing but the start is timed; the result starts it once. */
export const prepareSpawn = (spawn: Spawn): (() => number) => {
  const actions = Buffer.alloc(structureBytes)
  const pid = Buffer.alloc(4)
  const spawnAttributes = attributes()
  foreign.actionsInit(actions)
  foreign.actionsAddChdir(actions, spawn.workingDirectory)
  spawn.files.forEach((file, at) => {
    foreign.actionsAddDup2(actions, file, at)
  })
  const argv = [...spawn.argv, null]
  const environment = [...spawn.environment, null]
  return () => {
    const result: number = foreign.posixSpawn(
      pid,
      spawn.program,
      actions,
      spawnAttributes,
      argv,
      environment,
    )
    foreign.actionsDestroy(actions)
    if (result !== 0) throw new SystemFault(result)
    return pid.readInt32LE()
  }
}
