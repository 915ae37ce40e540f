/** Judges everything about a host but its processors: lock, kernel, launcher, memory, scratch folder. */
import { type Finding, finding, type Judgement } from './finding.ts'
import type { HostFacts } from './host-facts.ts'

const gibibyte = 2 ** 30
const mebibyte = 2 ** 20

const gibibytes = (bytes: number): string => `${(bytes / gibibyte).toFixed(1)} GiB`

const hostLock = ({ hostLock: { path, held, holder } }: HostFacts): Finding =>
  finding(
    'host-lock',
    'other measurements',
    held
      ? [
          'warning',
          `${holder === null ? 'an unknown process' : `process ${holder}`} holds ${path}`,
          holder === null
            ? 'wait until it has ended'
            : `wait until it has ended; "ps -fp ${holder}" shows what it is`,
        ]
      : ['fine', `none (${path} is free)`],
  )

const kernel = ({ stable }: HostFacts): Finding => {
  const release = stable['kernel'] ?? ''
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(release) ?? []
  const atLeast = (wantedMajor: number, wantedMinor: number): boolean =>
    Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor)
  const judgement: Judgement =
    major === '0'
      ? ['advice', 'not told by this host']
      : !atLeast(5, 3)
        ? ['unfit', `${release}: no pidfd_open, which the launcher needs`, 'use Linux 5.3 or later']
        : !atLeast(5, 14)
          ? [
              'warning',
              `${release}: no MADV_POPULATE_READ, so the modes that populate cannot be measured`,
              'use Linux 5.14 or later, or compare no-mmap with mmap-no-populate alone',
            ]
          : ['fine', release]
  return finding('kernel', 'kernel', judgement)
}

const launcher = ({ launcher: kind }: HostFacts): Finding =>
  finding(
    'launcher',
    'launcher',
    kind === 'native'
      ? ['fine', 'native']
      : [
          'warning',
          'koffi: times are right, but peak memory and memory at exit stay unknown',
          'install a C compiler (Debian: sudo apt install gcc libc6-dev), then npm run launcher -w @assay/measure',
        ],
  )

const tracing = ({ ptraceScope }: HostFacts): Finding =>
  finding(
    'tracing',
    'memory at exit',
    ptraceScope === null || ptraceScope < 2
      ? ['fine', 'may be read']
      : [
          'advice',
          `kernel.yama.ptrace_scope is ${ptraceScope}: without rights of its own a launcher may not trace its children, so memory at exit stays unknown`,
          ptraceScope === 2
            ? 'sudo sysctl kernel.yama.ptrace_scope=1'
            : 'set kernel.yama.ptrace_scope=1 in /etc/sysctl.d and restart: 3 holds until then',
        ],
  )

const aslr = ({ stable }: HostFacts): Finding =>
  finding(
    'aslr',
    'random memory layout',
    stable['aslr'] === '0'
      ? [
          'advice',
          'off: every round sees one and the same layout, which may favour one side',
          'sudo sysctl kernel.randomize_va_space=2',
        ]
      : ['fine', stable['aslr'] === '2' ? 'on' : `randomize_va_space ${stable['aslr']}`],
  )

const hugePages = ({ stable }: HostFacts): Finding =>
  finding(
    'thp',
    'transparent huge pages',
    stable['thp'] === 'always'
      ? [
          'advice',
          'always: memory and page faults depend on how fragmented the memory is',
          'echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled',
        ]
      : ['fine', stable['thp'] ?? 'unknown'],
  )

const memory = ({ memory: { availableBytes, swapUsedBytes } }: HostFacts): Finding => {
  const swapped = (swapUsedBytes ?? 0) > 64 * mebibyte
  const found = [
    availableBytes === null ? 'not told by this host' : `${gibibytes(availableBytes)} available`,
    ...(swapped ? [`${gibibytes(swapUsedBytes ?? 0)} swapped out`] : []),
  ].join(', ')
  return finding(
    'memory',
    'memory',
    availableBytes !== null && availableBytes < gibibyte
      ? ['warning', `${found}: files are soon dropped from the cache`, 'end what is not needed']
      : swapped
        ? ['advice', found, 'sudo swapoff -a; sudo swapon -a']
        : ['fine', found],
  )
}

const networked = new Set(['nfs', 'nfs4', 'cifs', 'smb3', '9p', 'virtiofs', 'ceph', 'fuse.sshfs'])

const filesystem = ({ stable, scratch }: HostFacts): Finding => {
  const type = stable['filesystem'] ?? 'unknown'
  const found = `${scratch.path} lies on ${type}`
  const judgement: Judgement =
    networked.has(type) || type.startsWith('fuse')
      ? ['warning', `${found}: other machines and a network take part`, 'use a local disk']
      : type === 'tmpfs' || type === 'ramfs'
        ? ['advice', `${found}: nothing can be cold`, 'for "cache: cold", use a folder on a disk']
        : ['fine', found]
  return finding('filesystem', 'file system', judgement)
}

const diskSpace = ({ scratch: { path, freeBytes } }: HostFacts): Finding =>
  finding(
    'disk-space',
    'free disk space',
    freeBytes === null
      ? ['advice', `${path} does not exist yet`]
      : freeBytes < gibibyte
        ? [
            'warning',
            gibibytes(freeBytes),
            `datasets need room: "df -h ${path}", or another folder`,
          ]
        : ['fine', gibibytes(freeBytes)],
  )

/** The judgements, in the order of a report. */
export const judgeSurroundings = (facts: HostFacts): readonly Finding[] =>
  [hostLock, kernel, launcher, tracing, aslr, hugePages, memory, filesystem, diskSpace].map(
    (judge) => judge(facts),
  )
