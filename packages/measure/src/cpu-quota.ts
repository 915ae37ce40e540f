/** How much processor time a container allows: beyond it the kernel stops all its processes for a while. */
import type { HostFiles } from './host-files.ts'

/** A limit on processor time, from either version of control groups. */
export interface CpuQuota {
  /** Time per time, e.g. 1.5 processors; null: no limit, or none that is told. */
  readonly processors: number | null
  /** How often the limit has struck; null where it is not told. */
  readonly throttledPeriods: number | null
}

/** `0::/path` is the group of version 2; `N:cpu,cpuacct:/path` that of version 1. */
const groupPath = (files: HostFiles, controller: string): string | null => {
  for (const line of (files.text('proc/self/cgroup') ?? '').split('\n')) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (path !== '' && controllers.split(',').includes(controller)) return path
  }
  return null
}

/** A limit above holds below too: the folders from the group's own up to the top. */
const upwards = (path: string): readonly string[] => {
  const parts = path.split('/').filter((part) => part !== '' && part !== '..')
  return [...parts.keys(), parts.length]
    .map((depth) => parts.slice(0, depth).join('/'))
    .toReversed()
}

const ratio = (quota: number | null, period: number | null): number | null =>
  quota === null || period === null || quota <= 0 || period <= 0 ? null : quota / period

const limitOfVersion2 = (files: HostFiles, folder: string): number | null => {
  const [quota, period] = (files.text(`${folder}/cpu.max`) ?? '').split(' ').map(Number)
  return quota === undefined || !Number.isFinite(quota) ? null : ratio(quota, period ?? null)
}

const limitOfVersion1 = (files: HostFiles, folder: string): number | null =>
  ratio(files.number(`${folder}/cpu.cfs_quota_us`), files.number(`${folder}/cpu.cfs_period_us`))

const throttled = (files: HostFiles, folder: string): number | null => {
  const [, count] = /^nr_throttled (\d+)$/m.exec(files.text(`${folder}/cpu.stat`) ?? '') ?? []
  return count === undefined ? null : Number(count)
}

/** The tightest limit on this process. */
export const readCpuQuota = (files: HostFiles): CpuQuota => {
  const old = groupPath(files, 'cpu')
  const folders = upwards(old ?? groupPath(files, '') ?? '/').map((path) =>
    (old === null ? `sys/fs/cgroup/${path}` : `sys/fs/cgroup/cpu/${path}`).replace(/\/$/, ''),
  )
  const limitOf = old === null ? limitOfVersion2 : limitOfVersion1
  const found = folders
    .map((folder) => ({ processors: limitOf(files, folder), folder }))
    .filter(({ processors }) => processors !== null)
    .toSorted((left, right) => Number(left.processors) - Number(right.processors))
  const [tightest] = found
  return tightest === undefined
    ? { processors: null, throttledPeriods: null }
    : { ...tightest, throttledPeriods: throttled(files, tightest.folder) }
}
