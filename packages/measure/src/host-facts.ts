/** What the doctor looks at: everything about a host that a measurement may suffer from. */
import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Conditions } from '@assay/model'
import { readConditions } from './conditions.ts'
import { readCpuList } from './cpu-list.ts'
import { type CpuQuota, readCpuQuota } from './cpu-quota.ts'
import { takeFingerprint } from './fingerprint.ts'
import { type HostFiles, openHostFiles } from './host-files.ts'
import { defaultLauncherKind, type LauncherKind } from './launcher-process.ts'

/** The facts; null where the host does not tell. */
export interface HostFacts {
  /** As in a fingerprint: text by name, `unknown` where the host does not tell. */
  readonly stable: Readonly<Record<string, string>>
  readonly conditions: Conditions
  /** The processors that this process may use. */
  readonly processors: readonly number[] | null
  /** Share of the processors' time that the hypervisor gave to others since boot. */
  readonly stealShare: number | null
  readonly quota: CpuQuota
  readonly hostLock: HostLockState
  readonly memory: MemoryFacts
  readonly scratch: { readonly path: string; readonly freeBytes: number | null }
  readonly clockSource: string | null
  /** Whether this is a virtual machine's processor. */
  readonly virtual: boolean
  /** kernel.yama.ptrace_scope; null where nothing but ownership limits tracing. */
  readonly ptraceScope: number | null
  readonly launcher: LauncherKind
}

/** Whether somebody measures now; `holder` is a process id, null when it cannot be known. */
export interface HostLockState {
  readonly path: string
  readonly held: boolean
  readonly holder: number | null
}

/** Bytes; null where the host does not tell. */
export interface MemoryFacts {
  readonly availableBytes: number | null
  readonly swapUsedBytes: number | null
}

/** What to look at, and where. */
export interface HostFactsOptions {
  readonly hostLockPath: string
  /** The folder that datasets and scratch files lie in. */
  readonly scratchDirectory: string
  /** The launcher that will be used; the default one unless given. */
  readonly launcher?: LauncherKind
  /** Where /proc, /sys and the lock lie; for recorded trees. */
  readonly root?: string
}

const allowedProcessors = (files: HostFiles): readonly number[] | null => {
  const [, list] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(files.text('proc/self/status') ?? '') ?? []
  const online = files.text('sys/devices/system/cpu/online')
  return readCpuList(list ?? online ?? '')
}

/** The first line of /proc/stat: user nice system idle iowait irq softirq steal, then guests' time. */
const stealShare = (files: HostFiles): number | null => {
  const [, numbers] = /^cpu +(.*)$/m.exec(files.text('proc/stat') ?? '') ?? []
  const ticks = numbers?.split(' ').slice(0, 8).map(Number) ?? []
  const total = ticks.reduce((sum, value) => sum + value, 0)
  const steal = ticks[7]
  return steal === undefined || total === 0 ? null : steal / total
}

/** `fe:00` in /proc/locks: the device's numbers in hexadecimal; makedev(3). */
const deviceText = (device: number): string => {
  const major = (device >> 8) & 0xfff
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00)
  return [major, minor].map((number) => number.toString(16).padStart(2, '0')).join(':')
}

/**
 * From /proc/locks, without touching the lock: `1: FLOCK ADVISORY WRITE 1234 fe:00:5678 0 EOF`. Some
 * file systems name another device there: then the process noted in the file has to be the holder's.
 */
const hostLockState = (files: HostFiles, root: string, path: string): HostLockState => {
  const facts = statSync(join(root, path), { throwIfNoEntry: false })
  const free = { path, held: false, holder: null }
  if (facts === undefined) return free
  const noted = files.number(path)
  const locks = (files.text('proc/locks') ?? '').matchAll(
    /^\d+: FLOCK +ADVISORY +WRITE +(-?\d+) ([0-9a-f]+:[0-9a-f]+):(\d+) /gm,
  )
  for (const [, pid, device, inode] of locks) {
    if (Number(inode) !== facts.ino) continue
    if (device !== deviceText(facts.dev) && Number(pid) !== noted) continue
    return { path, held: true, holder: Number(pid) > 0 ? Number(pid) : null }
  }
  return free
}

const memoryFacts = (files: HostFiles): MemoryFacts => {
  const text = files.text('proc/meminfo') ?? ''
  const bytes = (name: string): number | null => {
    const [, kibibytes] = new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text) ?? []
    return kibibytes === undefined ? null : Number(kibibytes) * 1024
  }
  const total = bytes('SwapTotal')
  const free = bytes('SwapFree')
  return {
    availableBytes: bytes('MemAvailable'),
    swapUsedBytes: total === null || free === null ? null : total - free,
  }
}

const freeBytes = (path: string): number | null => {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return null // it does not exist yet
  }
}

/** Reads the facts; throws `host-unreadable` where there is no /proc. */
export const readHostFacts = (options: HostFactsOptions): HostFacts => {
  const { hostLockPath, scratchDirectory, root = '/' } = options
  const files = openHostFiles(root)
  const { facts } = takeFingerprint({
    ...{ hostLockPath, filesystemOf: scratchDirectory, pinning: null, root },
  })
  return {
    stable: facts,
    conditions: readConditions(root),
    processors: allowedProcessors(files),
    stealShare: stealShare(files),
    quota: readCpuQuota(files),
    hostLock: hostLockState(files, root, hostLockPath),
    memory: memoryFacts(files),
    scratch: { path: scratchDirectory, freeBytes: freeBytes(scratchDirectory) },
    clockSource: files.text('sys/devices/system/clocksource/clocksource0/current_clocksource'),
    virtual: /^flags\s*:.*\bhypervisor\b/m.test(files.text('proc/cpuinfo') ?? ''),
    ptraceScope: files.number('proc/sys/kernel/yama/ptrace_scope'),
    launcher: options.launcher ?? defaultLauncherKind(),
  }
}
