/** What a host says of itself before it takes blocks. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHost } from '@assay/orchestrator'
import { expect, it, onTestFinished } from 'vitest'

it('the fingerprint names the file system that datasets are read from', async () => {
  const { taker } = await openHost({
    ...{ engines: [], scratchRoot: tmpdir(), datasetsDirectory: '/proc', worker: 'tests' },
  })
  expect(taker.fingerprint.facts['filesystem']).toBe('proc')
})

const hostOf = (scratchRoot: string, datasetsDirectory: string) =>
  openHost({ engines: [], scratchRoot, datasetsDirectory, worker: 'tests' })

it('copies of datasets lie where the datasets do, among the scratch if that is on their file system', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-host-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const near = await hostOf(directory, join(directory, 'not', 'yet'))
  expect(near.copiesRoot).toBe(directory)
  const far = await hostOf(directory, '/proc/self')
  expect(far.copiesRoot).toBe('/proc/self/.copies')
})

it('what killed processes left is cleared, and of no other', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-host-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  // Above any process id of Linux (PID_MAX_LIMIT, 2^22).
  const dead = join(directory, 'assay-block-4194305-x')
  const alive = join(directory, `assay-block-${process.pid}-x`)
  for (const folder of [dead, alive])
    mkdirSync(join(folder, 'b1.c1', 'dataset'), { recursive: true })
  await hostOf(directory, directory)
  expect([existsSync(dead), existsSync(alive)]).toEqual([false, true])
})
