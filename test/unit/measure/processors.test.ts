import { parseCpuList, parseOnlineCpuList, pinningText } from '@assay/measure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordTree } from '../../support/host-tree.ts'

describe('a list of processors', () => {
  it('is read as the kernel writes it', () => {
    expect(parseCpuList('0')).toEqual([0])
    expect(parseCpuList('0,2-4,7')).toEqual([0, 2, 3, 4, 7])
    expect(parseCpuList('3,1-2,2')).toEqual([1, 2, 3])
  })

  it('holds exactly the numbers of its ranges', () => {
    const ranges = fc.array(fc.tuple(fc.nat(1000), fc.nat(20)), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(ranges, (parts) => {
        const text = parts.map(([first, more]) => `${first}-${first + more}`).join(',')
        const numbers = parts.flatMap(([first, more]) =>
          Array.from({ length: more + 1 }, (_, at) => first + at),
        )
        expect(new Set(parseCpuList(text))).toEqual(new Set(numbers))
      }),
    )
  })

  it.each(['', ' ', 'a', '1,', '-1', '2-1', '1--2', '0x1', '1024', '1 2'])(
    'is not "%s"',
    (text) => {
      expect(() => parseCpuList(text)).toThrow(/no list of processors; write numbers and ranges/)
    },
  )

  it('may only name processors that are online', () => {
    const root = recordTree({ 'sys/devices/system/cpu/online': '0-1,3\n' })
    expect(parseOnlineCpuList('1,3', root)).toEqual([1, 3])
    expect(() => parseOnlineCpuList('1-2', root)).toThrow(
      '"1-2" names processor 2, not online on this host; choose among 0-1,3',
    )
    expect(() => parseOnlineCpuList('2,4', root)).toThrow(/names processors 2, 4/)
    expect(parseOnlineCpuList('9', recordTree({}))).toEqual([9]) // the host does not tell
  })
})

describe('the text of a pinning', () => {
  it('names the sides that are pinned', () => {
    expect(pinningText({ child: '1', driver: '0' })).toBe('child=1 driver=0')
    expect(pinningText({ child: '2-3', driver: null })).toBe('child=2-3')
    expect(pinningText({ child: null, driver: null })).toBeNull()
  })
})
