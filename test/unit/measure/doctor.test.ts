import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examineHost, type HostFacts, judgeHost, openLauncher, readHostFacts } from '@assay/measure'
import { describe, expect, it } from 'vitest'
import { recordTree } from '../../support/host-tree.ts'

const lock = 'run/lock/assay-host.lock'

const quietHost = {
  'proc/uptime': '1000.00 900.00\n',
  'proc/loadavg': '0.05 0.03 0.00 1/100 4242\n',
  'proc/pressure/cpu': 'some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n',
  'proc/pressure/io': 'some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n',
  'proc/stat': 'cpu  100 0 100 9800 0 0 0 0 0 0\n',
  'proc/cpuinfo': 'model name\t: Example CPU\nflags\t\t: fpu vme\n',
  'proc/meminfo':
    'MemTotal: 16000000 kB\nMemAvailable: 12000000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n',
  'proc/sys/kernel/osrelease': '6.1.0-44-amd64\n',
  'proc/sys/kernel/randomize_va_space': '2\n',
  'proc/self/status': 'Name:\tnode\nCpus_allowed_list:\t0-3\n',
  'proc/self/mountinfo': '22 1 259:2 / / rw - ext4 /dev/nvme0n1p2 rw\n',
  'proc/self/cgroup': '0::/user.slice\n',
  'sys/devices/system/cpu/online': '0-3\n',
  'sys/devices/system/cpu/smt/control': 'off\n',
  'sys/devices/system/cpu/intel_pstate/no_turbo': '1\n',
  'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'performance\n',
  'sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc\n',
  'sys/kernel/mm/transparent_hugepage/enabled': 'always [madvise] never\n',
}

type Tree = Readonly<Record<string, string>>

const examine = (changes: Tree = {}, launcher: 'native' | 'koffi' = 'native') =>
  examineHost({
    ...{ root: recordTree({ ...quietHost, ...changes }), hostLockPath: `/${lock}` },
    ...{ scratchDirectory: tmpdir(), launcher },
  })

const about = (code: string, changes: Tree, launcher?: 'native' | 'koffi') => {
  const found = examine(changes, launcher).find((finding) => finding.code === code)
  if (found === undefined) throw new Error(`nothing is said about ${code}`)
  return found
}

describe('the doctor', () => {
  it('finds nothing to do on a host that is fit', () => {
    const findings = examine()
    expect(findings.filter(({ severity }) => severity !== 'fine')).toEqual([])
    expect(findings.every(({ advice }) => advice === '')).toBe(true)
  })

  it('names each subject once', () => {
    const codes = examine().map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)])
  })

  const sysctl = 'proc/sys/kernel'
  const cases: readonly (readonly [string, string, Tree, RegExp, RegExp])[] = [
    ['load', 'warning', { 'proc/loadavg': '3.10 1 1 1/1 1\n' }, /load 3.1/, /top/],
    [
      'load',
      'warning',
      { 'proc/pressure/cpu': 'some avg10=12.50 avg60=0 avg300=0 total=1\n' },
      /waiting for a processor 12.5 %/,
      /wait/,
    ],
    ['steal', 'warning', { 'proc/stat': 'cpu  1 0 1 80 0 0 0 18 0 0\n' }, /18.0 %/, /rounds/],
    [
      'processors',
      'unfit',
      { 'proc/self/status': 'Cpus_allowed_list:\t2\n' },
      /one processor/,
      /mmap-populate-thread/,
    ],
    [
      'governor',
      'warning',
      { 'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'powersave\n' },
      /powersave/,
      /echo performance/,
    ],
    ['turbo', 'advice', { 'sys/devices/system/cpu/intel_pstate/no_turbo': '0\n' }, /on/, /echo 1/],
    ['smt', 'advice', { 'sys/devices/system/cpu/smt/control': 'on\n' }, /share/, /echo off/],
    ['aslr', 'advice', { [`${sysctl}/randomize_va_space`]: '0\n' }, /off/, /sysctl/],
    [
      'thp',
      'advice',
      { 'sys/kernel/mm/transparent_hugepage/enabled': '[always] madvise never\n' },
      /always/,
      /madvise/,
    ],
    ['kernel', 'warning', { [`${sysctl}/osrelease`]: '5.10.0-8\n' }, /MADV_POPULATE_READ/, /5.14/],
    ['kernel', 'unfit', { [`${sysctl}/osrelease`]: '4.19.0-8\n' }, /pidfd_open/, /5.3/],
    ['kernel', 'warning', { [`${sysctl}/osrelease`]: '5.4.0\n' }, /MADV_POPULATE_READ/, /5.14/],
    ['tracing', 'advice', { [`${sysctl}/yama/ptrace_scope`]: '2\n' }, /memory at exit/, /sysctl/],
    ['memory', 'warning', { 'proc/meminfo': 'MemAvailable: 500000 kB\n' }, /0.5 GiB/, /end/],
    [
      'memory',
      'advice',
      { 'proc/meminfo': 'MemAvailable: 9000000 kB\nSwapTotal: 2097152 kB\nSwapFree: 0 kB\n' },
      /2.0 GiB swapped out/,
      /swapoff/,
    ],
    [
      'filesystem',
      'advice',
      { 'proc/self/mountinfo': '22 1 0:1 / / rw - tmpfs none rw\n' },
      /tmpfs: nothing can be cold/,
      /disk/,
    ],
    [
      'filesystem',
      'warning',
      { 'proc/self/mountinfo': '22 1 0:1 / / rw - nfs4 server:/ rw\n' },
      /nfs4/,
      /local disk/,
    ],
    [
      'clock',
      'advice',
      { 'sys/devices/system/clocksource/clocksource0/current_clocksource': 'hpet\n' },
      /hpet/,
      /tsc/,
    ],
  ]
  it.each(cases)('says of %s: %s', (code, severity, changes, found, advice) => {
    const finding = about(code, changes)
    expect(finding).toMatchObject({ severity, found: expect.stringMatching(found) })
    expect(finding.advice).toMatch(advice)
  })

  it('warns that the koffi launcher cannot tell memory', () => {
    expect(about('launcher', {}, 'koffi')).toMatchObject({
      severity: 'warning',
      advice: expect.stringContaining('C compiler'),
    })
  })

  it('does not take for a fault what a virtual machine cannot tell', () => {
    const root = recordTree({
      ...{ 'proc/uptime': '1 1\n', 'proc/cpuinfo': 'flags\t\t: fpu hypervisor lahf_lm\n' },
      ...{ 'proc/sys/kernel/osrelease': '6.1.0\n' },
    })
    const findings = examineHost({
      ...{ root, hostLockPath: `/${lock}`, scratchDirectory: '/no/such/folder' },
      launcher: 'native',
    })
    expect(findings.filter(({ severity }) => severity === 'warning')).toEqual([])
    expect(findings.filter(({ severity }) => severity === 'unfit')).toEqual([])
    expect(findings.find(({ code }) => code === 'governor')?.found).toMatch(/virtual machine/)
  })

  it('refuses a host without /proc', () => {
    const options = { root: recordTree({}), hostLockPath: '/x', scratchDirectory: '/' }
    expect(() => examineHost(options)).toThrow(/needs Linux with \/proc mounted/)
  })
})

describe('a limit on processor time', () => {
  const quota = (changes: Tree) => about('cpu-quota', changes)

  it('is found in control groups of version 2, also above the own one', () => {
    const tree = {
      'proc/self/cgroup': '0::/docker/abc\n',
      'sys/fs/cgroup/docker/cpu.max': '150000 100000\n',
      'sys/fs/cgroup/docker/cpu.stat': 'usage_usec 5\nnr_periods 9\nnr_throttled 7\n',
      'sys/fs/cgroup/docker/abc/cpu.max': 'max 100000\n',
    }
    expect(quota(tree)).toMatchObject({
      severity: 'warning',
      found: expect.stringMatching(/^1.5 processors, reached 7 times/),
    })
  })

  it('is found in control groups of version 1', () => {
    const tree = {
      'proc/self/cgroup': '4:memory:/x\n3:cpu,cpuacct:/box\n0::/\n',
      'sys/fs/cgroup/cpu/box/cpu.cfs_quota_us': '50000\n',
      'sys/fs/cgroup/cpu/box/cpu.cfs_period_us': '100000\n',
    }
    expect(quota(tree)).toMatchObject({ found: expect.stringMatching(/^0.5 processors:/) })
    expect(quota({ ...tree, 'sys/fs/cgroup/cpu/box/cpu.cfs_quota_us': '-1\n' }).severity).toBe(
      'fine',
    )
  })

  it('in a container of its own name space lies at the top', () => {
    const tree = { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/cpu.max': '200000 100000\n' }
    expect(quota(tree).found).toMatch(/^2 processors/)
  })
})

describe('other measurements', () => {
  it('are seen by the lock that they hold, without touching it', () => {
    const root = recordTree({ ...quietHost, [lock]: '4321\n' })
    const facts = (locks: string): HostFacts['hostLock'] => {
      writeFileSync(join(root, 'proc/locks'), locks)
      return readHostFacts({ hostLockPath: `/${lock}`, scratchDirectory: '/', root }).hostLock
    }
    const { ino } = statSync(join(root, lock))
    const line = (text: string) => `1: ${text} 0 EOF\n`
    expect(facts('')).toMatchObject({ held: false })
    // Another device, as Btrfs tells it: the noted process decides.
    expect(facts(line(`FLOCK  ADVISORY  WRITE 4321 00:ff:${ino}`))).toMatchObject({
      ...{ held: true, holder: 4321 },
    })
    expect(facts(line(`FLOCK  ADVISORY  WRITE 1 00:ff:${ino}`)).held).toBe(false)
    expect(facts(line(`FLOCK  ADVISORY  WRITE 4321 00:ff:${ino + 1}`)).held).toBe(false)
    expect(facts(`1: -> FLOCK  ADVISORY  WRITE 4321 00:ff:${ino} 0 EOF\n`).held).toBe(false)
  })

  it('of this host are seen while they last', async () => {
    const hostLockPath = join(recordTree({ x: '' }), 'host.lock')
    const look = () => readHostFacts({ hostLockPath, scratchDirectory: '/' })
    expect(look().hostLock.held).toBe(false)
    const launcher = await openLauncher({ hostLock: { path: hostLockPath, waitSeconds: 0 } })
    const { held, holder } = look().hostLock
    expect(held).toBe(true)
    // The launcher is two processes: the guard that was started, and below it the one that locks.
    const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${holder}/stat`, 'utf8')) ?? []
    expect(Number(parent)).toBe(launcher.pid)
    const findings = judgeHost(look())
    expect(findings.find(({ code }) => code === 'host-lock')).toMatchObject({
      severity: 'warning',
      found: expect.stringContaining(`process ${holder} holds ${hostLockPath}`),
    })
    await launcher.close()
    expect(look().hostLock.held).toBe(false)
  })
})
