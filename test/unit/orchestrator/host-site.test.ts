/** What a host says of itself before it takes blocks. */
import { tmpdir } from 'node:os'
import { openHost } from '@assay/orchestrator'
import { expect, it } from 'vitest'

it('the fingerprint names the file system that datasets are read from', async () => {
  const { taker } = await openHost({
    ...{ engines: [], scratchRoot: tmpdir(), datasetsDirectory: '/proc', worker: 'tests' },
  })
  expect(taker.fingerprint.facts['filesystem']).toBe('proc')
})
