import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLauncher, startGuarded } from '@assay/measure'
import { describe, expect, it, vi } from 'vitest'
import {
  kinds,
  markedNap,
  openBench,
  processesOf,
  processesWith,
  scratchFolder,
} from '../support/launching.ts'

const patience = { timeout: 10_000, interval: 20 }

const parentProgram = fileURLToPath(new URL('../support/measuring-parent.mjs', import.meta.url))

const startParent = async (kind: string, nap: string) => {
  const parent = spawn(process.execPath, [parentProgram, kind, nap], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [firstWords] = await once(parent.stdout, 'data')
  // The parent names its nap too, and so does the shell until it becomes the child.
  await vi.waitFor(() => expect(processesWith(`sleep\0${nap}`)).toHaveLength(2), patience)
  return { parent, launcherPid: Number(firstWords) }
}

describe.each(kinds)('a %s launcher', (kind) => {
  it('that is killed leaves no child, and its run is rejected', async () => {
    const bench = await openBench(kind)
    const nap = markedNap()
    const running = expect(bench.run(['sleep', nap])).rejects.toMatchObject({
      code: 'launcher-died',
      message: expect.stringContaining('SIGKILL'),
    })
    await vi.waitFor(() => expect(processesWith(nap)).toHaveLength(1), patience)
    process.kill(bench.launcher.pid, 'SIGKILL')
    await running
    await vi.waitFor(() => expect(processesWith(nap)).toEqual([]), patience)
    await expect(bench.run(['true'])).rejects.toMatchObject({ code: 'launcher-died' })
    await bench.close()
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'whose parent ends by %s leaves neither itself nor child nor grandchild',
    async (signal) => {
      const nap = markedNap()
      const { parent, launcherPid } = await startParent(kind, nap)
      parent.kill(signal)
      await vi.waitFor(() => expect(processesWith(nap)).toEqual([]), patience)
      await vi.waitFor(() => expect(existsSync(`/proc/${launcherPid}`)).toBe(false), patience)
    },
  )

  it('that is told to end kills child and grandchild first', async () => {
    const nap = markedNap()
    const { parent, launcherPid } = await startParent(kind, nap)
    const parentEnds = once(parent, 'exit')
    process.kill(launcherPid, 'SIGTERM')
    await vi.waitFor(() => expect(processesWith(`sleep\0${nap}`)).toEqual([]), patience)
    expect((await parentEnds)[0]).toBe(3)
  })

  it('that is closed kills what it runs, and runs nothing more', async () => {
    const bench = await openBench(kind)
    const nap = markedNap()
    const running = bench.run(['sh', '-c', `setsid sleep ${nap} & sleep ${nap}`])
    const rejected = expect(running).rejects.toMatchObject({ code: 'launcher-closed' })
    await vi.waitFor(() => expect(processesWith(`sleep\0${nap}`)).toHaveLength(2), patience)
    await bench.launcher.close()
    await rejected
    expect(processesWith(nap)).toEqual([])
    await expect(bench.run(['true'])).rejects.toMatchObject({ code: 'launcher-closed' })
    await bench.close()
  })
})

/** Leaves a grandchild in a session of its own, and one that has no parent of ours any more. */
const spreading = (nap: string) =>
  ['sh', '-c', `setsid sleep ${nap} & (setsid sleep ${nap} & ) ; exec sleep ${nap}`] as const

describe('the two processes of a native launcher', () => {
  it.each([
    ['the guard', 0],
    ['the one that works', 1],
  ] as const)('leave nothing when %s is killed, and free the lock only then', async (_, which) => {
    const folder = scratchFolder()
    const path = join(folder, 'host.lock')
    const bench = await openBench('native', { path, waitSeconds: 0 })
    const nap = markedNap()
    const running = expect(bench.run(spreading(nap))).rejects.toMatchObject({
      code: 'launcher-died',
      message: expect.stringContaining('SIGKILL'),
    })
    await vi.waitFor(() => expect(processesWith(`sleep\0${nap}`)).toHaveLength(3), patience)
    const next = openLauncher({ hostLock: { path, waitSeconds: 10 }, kind: 'native' })
    process.kill(processesOf(bench.launcher.pid)[which] ?? 0, 'SIGKILL')
    const launcher = await next
    expect(processesWith(nap)).toEqual([])
    await running
    await launcher.close()
    await bench.close()
    rmSync(folder, { recursive: true })
  })
})

describe('a program under guard', () => {
  const guarded = (argv: readonly [string, ...string[]]) =>
    startGuarded({
      ...{ argv, workingDirectory: '/', environment: { PATH: '/usr/bin:/bin' }, stderr: 2 },
    })

  it.each([
    [['sh', '-c', 'exit 7'], { type: 'exited', code: 7 }],
    [['sh', '-c', 'kill -TERM $$'], { type: 'signaled', signal: 'SIGTERM' }],
    [['no-such-program'], { type: 'failed', reason: 'no-such-program ENOENT' }],
  ] as const)('tells its end: %j', async (argv, end) => {
    expect(await guarded(argv).ended).toEqual(end)
  })

  it('leaves running what it started, until it is killed', async () => {
    const nap = markedNap()
    const program = guarded(['sh', '-c', `setsid sleep ${nap} & (setsid sleep ${nap} &)`])
    expect(await program.ended).toEqual({ type: 'exited', code: 0 })
    await vi.waitFor(() => expect(processesWith(`sleep\0${nap}`)).toHaveLength(2), patience)
    await program.kill()
    expect(processesWith(nap)).toEqual([])
  })

  it('ends with whoever started it, and takes all along', async () => {
    const nap = markedNap()
    const parent = spawn(process.execPath, [parentProgram, 'guarded', nap], { stdio: 'inherit' })
    await vi.waitFor(() => expect(processesWith(`sleep\0${nap}`)).toHaveLength(2), patience)
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(processesWith(nap)).toEqual([]), patience)
  })
})
