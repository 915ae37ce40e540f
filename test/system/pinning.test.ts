import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseCpuList, pinThisProcess } from '@assay/measure'
import { expect, it } from 'vitest'

const driver = fileURLToPath(new URL('../support/pinned-driver.mjs', import.meta.url))

it('a driver and its children are pinned to processors of their own', () => {
  const [, list = ''] =
    /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  const allowed = parseCpuList(list)
  const [first, last] = [String(allowed[0]), String(allowed.at(-1))]
  const printed = execFileSync(process.execPath, [driver, first, last], { encoding: 'utf8' })
  // All threads of the driver, its launcher, a child that asks for nothing, and one that does.
  expect(printed.trim().split('\n')).toEqual([first, first, first, last])
})

it('a driver is not pinned to processors that are not there', () => {
  const before = readFileSync('/proc/self/status', 'utf8').match(/^Cpus_allowed_list.*$/m)
  expect(() => pinThisProcess('1023')).toThrow(/processor 1023, not online.*choose among \d/)
  expect(() => pinThisProcess('all')).toThrow(/"all" is no list of processors/)
  expect(readFileSync('/proc/self/status', 'utf8')).toContain(before?.[0])
})
