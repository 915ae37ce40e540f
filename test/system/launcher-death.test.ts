import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { kinds, markedNap, openBench, processesWith } from '../support/launching.ts'

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
