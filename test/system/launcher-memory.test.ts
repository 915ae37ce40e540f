import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LaunchRequest, LaunchResult } from '@assay/measure'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Bench, markedNap, openBench, processesWith } from '../support/launching.ts'

const mebibyte = 1024 * 1024
const python = '/usr/bin/python3'
const holdFile = fileURLToPath(new URL('../support/hold-file.mjs', import.meta.url))

const numbersOf = ({ memory, usage }: LaunchResult) => ({
  own: memory?.exitAnonBytes ?? -1,
  proportional: memory?.exitPssBytes ?? -1,
  peakOwn: memory?.peakAnonBytes ?? -1,
  peakProportional: memory?.peakPssBytes ?? -1,
  resident: usage.peakRssBytes ?? -1,
})

describe('memory by who pays for it', () => {
  let bench: Bench
  let file: string
  beforeAll(async () => {
    bench = await openBench('native')
    file = join(bench.folder, 'data')
    writeFileSync(file, Buffer.alloc(64 * mebibyte, 1))
  })
  afterAll(() => bench.close())

  const measure = async (
    argv: readonly [string, ...string[]],
    changes: Partial<LaunchRequest> = {},
  ) => {
    const result = await bench.run(argv, { memory: true, ...changes })
    expect(result).toMatchObject({ outcome: 'good', explanation: '' })
    return numbersOf(result)
  }

  const copying = (blockMebibytes: number) =>
    ['dd', 'if=/dev/zero', 'of=/dev/null', `bs=${blockMebibytes}M`, 'count=1'] as const

  it('is right to the mebibyte', async () => {
    const small = await measure(copying(1))
    const large = await measure(copying(65))
    for (const name of ['own', 'proportional', 'peakOwn', 'peakProportional'] as const)
      expect(Math.abs(large[name] - small[name] - 64 * mebibyte)).toBeLessThan(mebibyte)
  })

  it('is summed over children, each held at its exit until the last has come to it', async () => {
    const script = (blockMebibytes: number) =>
      `mkdir first-${blockMebibytes} 2>/dev/null && sleep 0.2; exec ${copying(blockMebibytes).join(' ')}`
    const small = await measure(['sh', '-c', script(1)], { parallel: 3 })
    const large = await measure(['sh', '-c', script(33)], { parallel: 3 })
    expect(Math.abs(large.own - small.own - 96 * mebibyte)).toBeLessThan(mebibyte)
    expect(Math.abs(large.proportional - small.proportional - 96 * mebibyte)).toBeLessThan(mebibyte)
    expect(Math.abs(large.resident - small.resident - 32 * mebibyte)).toBeLessThan(mebibyte)
  })

  it('tells a private copy from a shared mapping, which peak memory cannot', async () => {
    const hold = (mode: string) =>
      measure([process.execPath, holdFile, file, mode], { parallel: 3 })
    const copies = await hold('no-mmap')
    const mappings = await hold('mmap-populate')
    expect(Math.abs(copies.resident - mappings.resident)).toBeLessThan(16 * mebibyte)
    for (const [own, proportional] of [
      ['own', 'proportional'],
      ['peakOwn', 'peakProportional'],
    ] as const) {
      // Three copies of 64 MiB, or one that three share.
      expect(copies[own] - mappings[own]).toBeGreaterThan(3 * 60 * mebibyte)
      expect(copies[proportional] - mappings[proportional]).toBeGreaterThan(2 * 60 * mebibyte)
      expect(mappings[proportional]).toBeGreaterThan(60 * mebibyte)
    }
  })

  it('that is given back before the exit is seen all the same', async () => {
    const script = `dd if=/dev/zero bs=65M count=1 | sleep 0.2; exit 0`
    const node = `let b = Buffer.alloc(${64 * mebibyte}, 1); setTimeout(() => { b = null }, 100)`
    const { own, peakOwn } = await measure([process.execPath, '-e', node])
    expect(peakOwn).toBeGreaterThan(own + 60 * mebibyte)
    // What a child's own children hold is not its memory.
    expect((await measure(['sh', '-c', script])).peakOwn).toBeLessThan(16 * mebibyte)
  })

  it.runIf(existsSync(python))('is found when a thread other than the first ends all', async () => {
    const program = (size: number) =>
      `import os, threading, time; b = b"x" * ${size}; threading.Thread(target=lambda: os._exit(0)).start(); time.sleep(60)`
    const small = await measure([python, '-c', program(mebibyte)])
    const large = await measure([python, '-c', program(65 * mebibyte)])
    expect(Math.abs(large.own - small.own - 64 * mebibyte)).toBeLessThan(mebibyte)
  })

  it('is read without changing what a child does', async () => {
    const caught = 'trap "echo caught" USR1; kill -USR1 $$; '
    const stopped = '(sleep 0.1; kill -CONT $$) & kill -STOP $$; echo continued; wait; exit 5'
    const request = { expectedExitCodes: [5] }
    await bench.run(['sh', '-c', caught + stopped], request)
    expect(bench.stdout()).toBe('caught\ncontinued\n')
    const traced = await bench.run(['sh', '-c', caught + stopped], { ...request, memory: true })
    expect(bench.stdout()).toBe('caught\ncontinued\n')
    expect(traced).toMatchObject({ outcome: 'good', exitCode: 5 })
    expect(traced.memory?.exitPssBytes).toBeGreaterThan(0)
    const ended = await bench.run(['sh', '-c', 'kill -SEGV $$'], { memory: true })
    expect(ended).toMatchObject({ outcome: 'killed', signal: 'SIGSEGV' })
  })

  it('does not keep a launcher from killing children that stay at their exit', async () => {
    const nap = markedNap()
    const script = `mkdir "$MARK" 2>/dev/null && exec sleep ${nap}; exit 0`
    const request = (mark: string) => ({
      ...{ memory: true, parallel: 3, timeoutSeconds: 0.3 },
      environment: { PATH: '/usr/bin:/bin', MARK: mark },
    })
    const late = await bench.run(['sh', '-c', script], request('held'))
    expect(late).toMatchObject({ outcome: 'timed-out', stragglers: 0 })
    expect(late.memory?.exitPssBytes).toBeNull()
    expect(processesWith(nap)).toEqual([])

    const doomed = await openBench('native')
    const running = doomed.run(['sh', '-c', script], { ...request('closed'), timeoutSeconds: null })
    const rejected = expect(running).rejects.toMatchObject({ code: 'launcher-closed' })
    await vi.waitFor(() => expect(processesWith(`sleep\0${nap}`)).toHaveLength(1), 10_000)
    await doomed.close()
    await rejected
    expect(processesWith(nap)).toEqual([])
  })

  it('is null where it was not asked for', async () => {
    expect((await bench.run(['true'])).memory).toBeNull()
    expect((await bench.run(['no-such-program'], { memory: true })).memory).toBeNull()
  })

  it('is unknown to the koffi launcher, which runs the child all the same', async () => {
    const koffi = await openBench('koffi')
    const result = await koffi.run(['true'], { memory: true })
    expect(result.outcome).toBe('good')
    expect(new Set(Object.values(result.memory ?? {}))).toEqual(new Set([null]))
    await koffi.close()
  })
})
