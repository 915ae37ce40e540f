import { childEnvironment } from '@assay/measure'
import { describe, expect, it } from 'vitest'

const options = { path: '/usr/bin', home: '/scratch/home', paddingBytes: 3 }

describe('the environment of a child', () => {
  it('is an allow-list', () => {
    expect(childEnvironment(options)).toEqual({
      PATH: '/usr/bin',
      HOME: '/scratch/home',
      HGRCPATH: '',
      HGPLAIN: '1',
      LC_ALL: 'C',
      TZ: 'UTC',
      ASSAY_PADDING: 'xxx',
    })
  })

  it('takes additions, which may replace anything but the padding', () => {
    const environment = childEnvironment({
      ...options,
      additions: { HGRCPATH: '/scratch/hgrc', MODE: 'mmap', ASSAY_PADDING: '' },
    })
    expect(environment).toMatchObject({
      HGRCPATH: '/scratch/hgrc',
      MODE: 'mmap',
      ASSAY_PADDING: 'xxx',
    })
  })

  it('has padding of exactly the length asked for', () => {
    const lengthOf = (paddingBytes: number) => {
      const { ASSAY_PADDING: padding } = childEnvironment({ ...options, paddingBytes })
      return padding?.length
    }
    expect([0, 1, 4095].map(lengthOf)).toEqual([0, 1, 4095])
  })
})
