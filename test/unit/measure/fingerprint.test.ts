import { takeFingerprint } from '@assay/measure'
import { digestOf, fingerprintSchema } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { recordTree } from '../../support/host-tree.ts'

const core = (number: number, id: number, socket: number) => ({
  [`sys/devices/system/cpu/cpu${number}/topology/core_id`]: `${id}\n`,
  [`sys/devices/system/cpu/cpu${number}/topology/physical_package_id`]: `${socket}\n`,
})

const laptop = {
  'proc/cpuinfo': 'processor\t: 0\nmodel name\t: Example CPU @ 3.00GHz\ncpu MHz\t\t: 2999.1\n',
  'proc/meminfo': 'MemTotal:       16303112 kB\nMemFree:         1000000 kB\n',
  'proc/sys/kernel/osrelease': '6.1.0-44-amd64\n',
  'proc/sys/kernel/randomize_va_space': '2\n',
  'proc/self/mountinfo': [
    '22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw',
    '40 22 0:35 / /data\\040sets rw shared:2 master:3 - xfs /dev/sdb rw',
    '41 22 0:36 / /datasets rw - btrfs /dev/sdc rw',
    '42 41 0:37 / /datasets rw - tmpfs none rw',
    '',
  ].join('\n'),
  'sys/devices/system/cpu/online': '0-3\n',
  'sys/devices/system/cpu/smt/control': 'on\n',
  'sys/devices/system/cpu/intel_pstate/no_turbo': '1\n',
  'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'powersave\n',
  'sys/devices/system/cpu/cpu1/cpufreq/scaling_governor': 'performance\n',
  'sys/kernel/mm/transparent_hugepage/enabled': 'always [madvise] never\n',
  ...core(0, 0, 0),
  ...core(1, 0, 0),
  ...core(2, 1, 0),
  ...core(3, 0, 1),
}

const options = {
  hostLockPath: '/run/lock/assay-host.lock',
  filesystemOf: '/home/x',
  pinning: null,
}

const factsOf = (files: Readonly<Record<string, string>>, filesystemOf = '/home/x') =>
  takeFingerprint({ ...options, filesystemOf, root: recordTree(files) }).facts

describe('the fingerprint', () => {
  it('tells the stable facts of a host', () => {
    expect(factsOf(laptop)).toEqual({
      aslr: '2',
      'cpu.cores': '3',
      'cpu.governor': 'performance,powersave',
      'cpu.model': 'Example CPU @ 3.00GHz',
      'cpu.online': '0-3',
      'cpu.smt': 'on',
      'cpu.turbo': 'off',
      filesystem: 'ext4',
      'host-lock': '/run/lock/assay-host.lock',
      kernel: '6.1.0-44-amd64',
      memory: '15921 MiB',
      pinning: 'none',
      thp: 'madvise',
    })
  })

  it('has its facts sorted by name', () => {
    const names = Object.keys(factsOf(laptop))
    expect(names).toEqual(names.toSorted())
  })

  it('says unknown for what the host does not tell, and invents nothing', () => {
    const { 'host-lock': _, pinning: __, ...facts } = factsOf({})
    expect(new Set(Object.values(facts))).toEqual(new Set(['unknown']))
  })

  it('finds the filesystem of a path by its longest mount, the last one on top', () => {
    const typeAt = (path: string) => {
      const { filesystem } = factsOf(laptop, path)
      return filesystem
    }
    expect(typeAt('/datasets/big')).toBe('tmpfs')
    expect(typeAt('/data sets/big')).toBe('xfs')
    expect(typeAt('/datasets-of-others')).toBe('ext4')
  })

  it('reads turbo from either driver', () => {
    const boost = (text: string) =>
      factsOf({ 'sys/devices/system/cpu/cpufreq/boost': text })['cpu.turbo']
    expect([boost('1\n'), boost('0\n')]).toEqual(['on', 'off'])
  })

  it('names an Arm processor by its numbers', () => {
    const cpuinfo = 'processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n'
    expect(factsOf({ 'proc/cpuinfo': cpuinfo })['cpu.model']).toBe('0x41/0xd0c')
  })

  it('has a digest of its facts that changes with any of them', () => {
    const root = recordTree(laptop)
    const one = takeFingerprint({ ...options, root })
    expect(one.digest).toBe(digestOf(one.facts))
    expect(takeFingerprint({ ...options, root }).digest).toBe(one.digest)
    expect(takeFingerprint({ ...options, root, pinning: '0' }).digest).not.toBe(one.digest)
    expect(takeFingerprint({ ...options, root, hostLockPath: '/x' }).digest).not.toBe(one.digest)
  })

  it('of the host at hand is the same when taken twice', () => {
    const here = { ...options, filesystemOf: process.cwd() }
    const fingerprint = fingerprintSchema.parse(takeFingerprint(here))
    expect(takeFingerprint(here)).toEqual(fingerprint)
    const { filesystem, kernel } = fingerprint.facts
    expect([filesystem, kernel]).not.toContain('unknown')
  })
})
