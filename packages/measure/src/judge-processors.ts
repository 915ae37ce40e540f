/** Judges what a host's processors and those who share them do to measured times. */
import { type Finding, finding, type Judgement } from './finding.ts'
import type { HostFacts } from './host-facts.ts'

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** A value that the host does not tell: in a virtual machine it is the real host's. */
const untold = ({ virtual }: HostFacts): Judgement =>
  virtual
    ? ['advice', 'not told: a virtual machine', 'compare only what was measured in one block']
    : ['fine', 'not told by this host']

const unknown = 'unknown'

const processorCount = (facts: HostFacts): Finding => {
  const count = facts.processors?.length ?? 0
  const judgement: Judgement =
    count === 0
      ? ['advice', 'not told by this host']
      : count === 1
        ? [
            'unfit',
            'one processor: a thread that fills memory ahead has to share it with its reader, so mmap-populate-thread comes out worst here whatever it is worth',
            'leave mmap-populate-thread out, or measure on a host with two processors or more',
          ]
        : ['fine', `${count} processors`]
  return finding('processors', 'processors', judgement)
}

/** Load and pressure above which somebody else is at work: a quiet host shows less by far. */
const quiet = { loadPerProcessor: 0.25, cpuPressure: 0.05, ioPressure: 0.05 } as const

const load = (facts: HostFacts): Finding => {
  const { load: average, cpuPressure, ioPressure } = facts.conditions
  const told = [
    average === null ? null : `load ${average}`,
    cpuPressure === null ? null : `waiting for a processor ${percent(cpuPressure)} of the time`,
    ioPressure === null ? null : `for disks ${percent(ioPressure)}`,
  ].filter((text) => text !== null)
  const disturbed =
    (average ?? 0) / Math.max(1, facts.processors?.length ?? 1) > quiet.loadPerProcessor ||
    (cpuPressure ?? 0) > quiet.cpuPressure ||
    (ioPressure ?? 0) > quiet.ioPressure
  const found = told.length === 0 ? 'not told by this host' : told.join(', ')
  return finding(
    'load',
    'other work',
    disturbed
      ? ['warning', found, 'find it with "top -o %CPU" and wait until it has ended']
      : ['fine', found],
  )
}

/** Share of stolen time from which single samples are visibly longer. */
const steal = { noticeable: 0.001, harmful: 0.01 } as const

const stolenTime = (facts: HostFacts): Finding => {
  const share = facts.stealShare
  const found = share === null ? 'not told by this host' : `${percent(share)} since boot`
  const advice = 'measure on a machine of your own, or at quieter hours; add rounds'
  return finding(
    'steal',
    'time given to other machines by the hypervisor',
    share === null || share < steal.noticeable
      ? ['fine', found]
      : [share < steal.harmful ? 'advice' : 'warning', found, advice],
  )
}

const governor = (facts: HostFacts): Finding => {
  const name = facts.stable['cpu.governor'] ?? unknown
  return finding(
    'governor',
    'frequency governor',
    name === unknown
      ? untold(facts)
      : name === 'performance'
        ? ['fine', name]
        : [
            'warning',
            `${name}: the frequency follows the load, also that of the sample before`,
            'echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor',
          ],
  )
}

const turbo = (facts: HostFacts): Finding => {
  const state = facts.stable['cpu.turbo'] ?? unknown
  return finding(
    'turbo',
    'turbo frequencies',
    state === unknown
      ? untold(facts)
      : state === 'off'
        ? ['fine', state]
        : [
            'advice',
            'on: the frequency depends on the temperature and on the other processors',
            'echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo (elsewhere: echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost)',
          ],
  )
}

const smt = (facts: HostFacts): Finding => {
  const state = facts.stable['cpu.smt'] ?? unknown
  const judgement: Judgement =
    state === 'on'
      ? [
          'advice',
          'on: two processors share one core, so a neighbour slows a child down',
          'echo off | sudo tee /sys/devices/system/cpu/smt/control',
        ]
      : state === unknown
        ? untold(facts)
        : ['fine', state === 'notsupported' ? 'not supported by this processor' : state]
  return finding('smt', 'simultaneous multithreading', judgement)
}

const quota = (facts: HostFacts): Finding => {
  const { processors, throttledPeriods } = facts.quota
  const struck = throttledPeriods === null ? '' : `, reached ${throttledPeriods} times so far`
  return finding(
    'cpu-quota',
    'limit on processor time',
    processors === null
      ? ['fine', 'none']
      : [
          'warning',
          `${processors} processors${struck}: when it is reached all processes stop for up to a tenth of a second`,
          'start the container without --cpus or --cpu-quota; limit it to whole processors with --cpuset-cpus',
        ],
  )
}

/** Read without a system call, and monotonic over processors; the others cost a microsecond or more. */
const goodClocks = new Set(['tsc', 'kvm-clock', 'arch_sys_counter', 'hyperv_clocksource_tsc_page'])

const clock = ({ clockSource }: HostFacts): Finding =>
  finding(
    'clock',
    'clock source',
    clockSource === null
      ? ['fine', 'not told by this host']
      : goodClocks.has(clockSource)
        ? ['fine', clockSource]
        : [
            'advice',
            `${clockSource}: slow to read, which programs that look at the time often suffer from`,
            'cat /sys/devices/system/clocksource/clocksource0/available_clocksource; prefer tsc',
          ],
  )

/** The judgements, in the order of a report. */
export const judgeProcessors = (facts: HostFacts): readonly Finding[] =>
  [load, stolenTime, processorCount, governor, turbo, smt, quota, clock].map((judge) =>
    judge(facts),
  )
