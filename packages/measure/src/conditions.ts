/** What varies on a host while it measures: load, pressure, steal, temperature, frequency. */
import { join } from 'node:path'
import type { Conditions } from '@assay/model'
import { hostUnreadable } from './errors.ts'
import { type HostFiles, openHostFiles, processorFolders } from './host-files.ts'

/** The unit of /proc/stat, USER_HZ: 100 on every Linux that Node runs on (proc_stat(5)). */
const ticksPerSecond = 100

const firstNumber = (text: string | null): number | null => {
  const value = Number(text?.split(/\s+/)[0] ?? Number.NaN)
  return Number.isFinite(value) ? value : null
}

/** PSI: `some avg10=1.23 avg60=...`, in per cent. */
const pressure = (files: HostFiles, resource: 'cpu' | 'io'): number | null => {
  const [, percent] =
    /^some avg10=([\d.]+)/m.exec(files.text(`proc/pressure/${resource}`) ?? '') ?? []
  return percent === undefined ? null : Number(percent) / 100
}

/** The eighth number of the line for all processors (proc_stat(5)). */
const stealSeconds = (files: HostFiles): number | null => {
  const [, numbers] = /^cpu +(.*)$/m.exec(files.text('proc/stat') ?? '') ?? []
  const ticks = numbers?.split(' ')[7]
  return ticks === undefined ? null : Number(ticks) / ticksPerSecond
}

const numbersOf = (files: HostFiles, paths: readonly string[]): readonly number[] =>
  paths.map((path) => files.number(path)).filter((value) => value !== null)

const temperatureCelsius = (files: HostFiles): number | null => {
  const zones = files
    .names('sys/class/thermal')
    .filter((name) => name.startsWith('thermal_zone'))
    .map((name) => `sys/class/thermal/${name}/temp`)
  const sensors = files.names('sys/class/hwmon').flatMap((name) =>
    files
      .names(`sys/class/hwmon/${name}`)
      .filter((input) => /^temp\d+_input$/.test(input))
      .map((input) => `sys/class/hwmon/${name}/${input}`),
  )
  // Millidegrees; sensors that are not connected tell zero or less.
  const degrees = numbersOf(files, [...zones, ...sensors]).filter((value) => value > 0)
  return degrees.length === 0 ? null : Math.max(...degrees) / 1000
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

const frequencyMegahertz = (files: HostFiles): number | null => {
  const paths = processorFolders(files).map((folder) => `${folder}/cpufreq/scaling_cur_freq`)
  const kilohertz = mean(numbersOf(files, paths))
  if (kilohertz !== null) return kilohertz / 1000
  const lines = (files.text('proc/cpuinfo') ?? '').matchAll(/^cpu MHz\s*: ([\d.]+)$/gm)
  return mean([...lines].map(([, megahertz]) => Number(megahertz)))
}

/**
 * Seconds since boot, also those spent suspended (CLOCK_BOOTTIME, to a hundredth): the clock for
 * leases, which no change of the wall clock and no sleep of the host can stretch.
 */
export const bootSeconds = (root = '/'): number => {
  const seconds = firstNumber(openHostFiles(root).text('proc/uptime'))
  if (seconds === null) throw hostUnreadable(join(root, 'proc/uptime'))
  return seconds
}

/** Reads the conditions of this moment; what the host does not tell is null. */
export const readConditions = (root = '/'): Conditions => {
  const files = openHostFiles(root)
  return {
    bootSeconds: bootSeconds(root),
    load: firstNumber(files.text('proc/loadavg')),
    cpuPressure: pressure(files, 'cpu'),
    ioPressure: pressure(files, 'io'),
    stealSeconds: stealSeconds(files),
    temperatureCelsius: temperatureCelsius(files),
    frequencyMegahertz: frequencyMegahertz(files),
  }
}
