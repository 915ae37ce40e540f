/** The stable facts of a host: what must be equal for two takes to be comparable. */
import { digestOf, type Fingerprint } from '@assay/model'
import { filesystemType } from './filesystem-type.ts'
import { type HostFiles, openHostFiles, processorFolders } from './host-files.ts'

/** What the kernel cannot tell about how a host measures. */
export interface FingerprintOptions {
  readonly hostLockPath: string
  /** The folder whose filesystem holds the datasets. */
  readonly filesystemOf: string
  /**
   * Who is pinned to which processors: `child=1 driver=0` (`pinningText`), lists as the kernel's;
   * null: nobody.
   */
  readonly pinning: string | null
  /** Where /proc and /sys lie; for recorded trees. */
  readonly root?: string
}

/** The value of what a host does not tell. */
const unknown = 'unknown'

const lineOf = (text: string | null, key: string): string | null =>
  new RegExp(`^${key}\\s*: (.+)$`, 'm').exec(text ?? '')?.[1]?.trim() ?? null

const cpuModel = (files: HostFiles): string | null => {
  const text = files.text('proc/cpuinfo')
  const model = lineOf(text, 'model name')
  if (model !== null) return model
  // Arm tells numbers instead of a name.
  const implementer = lineOf(text, 'CPU implementer')
  const part = lineOf(text, 'CPU part')
  return implementer === null || part === null ? null : `${implementer}/${part}`
}

/** Distinct values over all processors, sorted; null when none tells. */
const distinct = (files: HostFiles, name: string): readonly string[] | null => {
  const texts = processorFolders(files).map((folder) => files.text(`${folder}/${name}`))
  const values = [...new Set(texts.filter((text) => text !== null))].toSorted()
  return values.length === 0 ? null : values
}

const coreCount = (files: HostFiles): string | null => {
  const cores = processorFolders(files).map((folder) => {
    const core = files.text(`${folder}/topology/core_id`)
    const socket = files.text(`${folder}/topology/physical_package_id`)
    return core === null ? null : `${socket}/${core}`
  })
  const known = new Set(cores.filter((core) => core !== null))
  return known.size === 0 ? null : String(known.size)
}

/** Intel's own driver tells the opposite of the general one. */
const turbo = (files: HostFiles): string | null => {
  const off = files.number('sys/devices/system/cpu/intel_pstate/no_turbo')
  const on = files.number('sys/devices/system/cpu/cpufreq/boost')
  if (off !== null) return off === 0 ? 'on' : 'off'
  if (on !== null) return on === 0 ? 'off' : 'on'
  return null
}

/** In MiB: the kernel keeps a few KiB more or less for itself from boot to boot. */
const memoryMebibytes = (files: HostFiles): string | null => {
  const kibibytes = /^MemTotal: +(\d+) kB$/m.exec(files.text('proc/meminfo') ?? '')?.[1]
  return kibibytes === undefined ? null : `${Math.round(Number(kibibytes) / 1024)} MiB`
}

/** The choice in brackets: `always [madvise] never`. */
const bracketed = (text: string | null): string | null => /\[(.+)\]/.exec(text ?? '')?.[1] ?? null

/** Takes the fingerprint; facts are sorted by name and a fact the host does not tell is `unknown`. */
export const takeFingerprint = (options: FingerprintOptions): Fingerprint => {
  const files = openHostFiles(options.root ?? '/')
  const facts: Readonly<Record<string, string | null>> = {
    aslr: files.text('proc/sys/kernel/randomize_va_space'),
    'cpu.cores': coreCount(files),
    'cpu.governor': distinct(files, 'cpufreq/scaling_governor')?.join(',') ?? null,
    'cpu.model': cpuModel(files),
    'cpu.online': files.text('sys/devices/system/cpu/online'),
    'cpu.smt': files.text('sys/devices/system/cpu/smt/control'),
    'cpu.turbo': turbo(files),
    filesystem: filesystemType(files.text('proc/self/mountinfo') ?? '', options.filesystemOf),
    'host-lock': options.hostLockPath,
    kernel: files.text('proc/sys/kernel/osrelease'),
    memory: memoryMebibytes(files),
    pinning: options.pinning ?? 'none',
    thp: bracketed(files.text('sys/kernel/mm/transparent_hugepage/enabled')),
  }
  const told = Object.fromEntries(
    Object.entries(facts)
      .map(([name, value]) => [name, value ?? unknown] as const)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  )
  return { digest: digestOf(told), facts: told }
}
