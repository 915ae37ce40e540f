import { bootSeconds, readConditions } from '@assay/measure'
import { conditionsSchema } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { recordTree } from '../../support/host-tree.ts'

const bareMetal = {
  'proc/uptime': '12345.67 45678.90\n',
  'proc/loadavg': '0.42 0.30 0.20 1/234 5678\n',
  'proc/pressure/cpu':
    'some avg10=12.50 avg60=3.00 avg300=1.00 total=9\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n',
  'proc/pressure/io': 'some avg10=0.25 avg60=0.00 avg300=0.00 total=1\n',
  'proc/stat': 'cpu  10 20 30 40 50 60 70 1250 0 0\ncpu0 1 2 3 4 5 6 7 99 0 0\n',
  'sys/class/thermal/thermal_zone0/temp': '41000\n',
  'sys/class/thermal/cooling_device0/temp': '99000\n',
  'sys/class/hwmon/hwmon1/temp2_input': '52500\n',
  'sys/class/hwmon/hwmon1/temp2_crit': '100000\n',
  'sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq': '3000000\n',
  'sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq': '2000000\n',
  'sys/devices/system/cpu/cpufreq/boost': '1\n',
}

describe('conditions', () => {
  it('are read from the kernel in the units of their names', () => {
    expect(readConditions(recordTree(bareMetal))).toEqual({
      bootSeconds: 12345.67,
      load: 0.42,
      cpuPressure: 0.125,
      ioPressure: 0.0025,
      stealSeconds: 12.5,
      temperatureCelsius: 52.5,
      frequencyMegahertz: 2500,
    })
  })

  it('are null where the host does not tell', () => {
    expect(readConditions(recordTree({ 'proc/uptime': '1.00 1.00\n' }))).toEqual({
      bootSeconds: 1,
      load: null,
      cpuPressure: null,
      ioPressure: null,
      stealSeconds: null,
      temperatureCelsius: null,
      frequencyMegahertz: null,
    })
  })

  it('take the frequency from cpuinfo where the scaling driver is missing', () => {
    const root = recordTree({
      'proc/uptime': '1.00 1.00\n',
      'proc/cpuinfo':
        'processor\t: 0\ncpu MHz\t\t: 2000.5\n\nprocessor\t: 1\ncpu MHz\t\t: 2001.5\n',
    })
    expect(readConditions(root).frequencyMegahertz).toBe(2001)
  })

  it('of the host at hand fit the schema', () => {
    expect(conditionsSchema.parse(readConditions()).bootSeconds).toBeGreaterThan(0)
  })
})

describe('the boot-time clock', () => {
  it('does not go backwards', () => {
    const earlier = bootSeconds()
    expect(bootSeconds()).toBeGreaterThanOrEqual(earlier)
  })

  it('says what is missing on a host without /proc', () => {
    expect(() => bootSeconds(recordTree({}))).toThrow(/proc\/uptime cannot be read/)
  })
})
