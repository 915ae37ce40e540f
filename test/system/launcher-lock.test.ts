import { readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type LauncherKind, openLauncher } from '@assay/measure'
import { describe, expect, it, vi } from 'vitest'
import {
  markedNap,
  openBench,
  parentOf,
  processesWith,
  scratchFolder,
} from '../support/launching.ts'

const newPath = (): string => join(scratchFolder(), 'host.lock')

const open = (kind: LauncherKind, path: string, waitSeconds = 0) =>
  openLauncher({ kind, hostLock: { path, waitSeconds } })

const pairs = [
  ['native', 'native'],
  ['native', 'koffi'],
  ['koffi', 'native'],
] as const

describe.each(pairs)('a %s and a %s launcher with one host lock', (one, other) => {
  it('exclude each other, and the second names the holder', async () => {
    const path = newPath()
    const first = await open(one, path)
    await expect(open(other, path)).rejects.toMatchObject({
      code: 'host-busy',
      details: { path, holder: first.pid },
      message: expect.stringContaining(`${first.pid}`),
    })
    expect(Number(readFileSync(path, 'utf8'))).toBe(first.pid)
    await first.close()
    const second = await open(other, path)
    expect(Number(readFileSync(path, 'utf8'))).toBe(second.pid)
    await second.close()
  })

  it('take turns when the second waits', async () => {
    const path = newPath()
    const first = await open(one, path)
    let opened = false
    const waiting = open(other, path, 60).then((second) => {
      opened = true
      return second
    })
    await expect(open(other, path, 0.3)).rejects.toMatchObject({ code: 'host-busy' })
    expect(opened).toBe(false)
    await first.close()
    await (await waiting).close()
  })

  it('pass it on when the first is killed, even in the middle of a child', async () => {
    const path = newPath()
    const bench = await openBench(one, { path, waitSeconds: 0 })
    const nap = markedNap()
    const running = expect(bench.run(['sleep', nap])).rejects.toThrow('SIGKILL')
    await vi.waitFor(() => expect(processesWith(nap)).toHaveLength(1), 10_000)
    process.kill(bench.launcher.pid, 'SIGKILL')
    await (await open(other, path, 60)).close()
    await running
    await bench.close()
  })
})

describe.each(['native', 'koffi'] as const)('the host lock of a %s launcher', (kind) => {
  it('is no longer waited for once the signal aborts, and no launcher is left', async () => {
    const path = newPath()
    const holder = await open(kind, path)
    const calledOff = new AbortController()
    const opening = openLauncher({
      ...{ kind, hostLock: { path, waitSeconds: 600 }, signal: calledOff.signal },
    })
    setTimeout(() => calledOff.abort(new Error('called off')), 300)
    await expect(opening).rejects.toThrow('called off')
    await holder.close()
    await (await open(kind, path)).close()
  })

  it('is a file that every user can take, whatever the umask', async () => {
    const path = newPath()
    const before = process.umask(0o077)
    const launcher = await open(kind, path).finally(() => process.umask(before))
    expect(statSync(path).mode & 0o777).toBe(0o666)
    await launcher.close()
  })

  it('cannot lie in a folder that is missing, nor behind a link', async () => {
    const missing = join(newPath(), 'below')
    await expect(open(kind, missing)).rejects.toMatchObject({ code: 'host-lock-failed' })
    const link = newPath()
    symlinkSync('/etc/passwd', link)
    await expect(open(kind, link)).rejects.toMatchObject({ code: 'host-lock-failed' })
  })
})

describe('the host lock of a native launcher that waits', () => {
  it('is not the file that somebody removed meanwhile', async () => {
    const path = newPath()
    const first = await open('native', path)
    const waiting = open('native', path, 60)
    const { ino } = statSync(path)
    const waiters = new RegExp(`-> FLOCK .*:${ino} `)
    await vi.waitFor(() => expect(readFileSync('/proc/locks', 'utf8')).toMatch(waiters), 10_000)
    rmSync(path)
    const second = await open('native', path)
    await first.close()
    await second.close()
    const third = await waiting
    expect(Number(readFileSync(path, 'utf8'))).toBe(third.pid)
    await third.close()
  })

  it('is given up when the launcher is told to end', async () => {
    const path = newPath()
    const first = await open('native', path)
    const waiting = expect(open('native', path, 60)).rejects.toMatchObject({
      code: 'launcher-died',
    })
    const ours = `--parent=${process.pid}`
    const others = () =>
      processesWith(ours).filter((pid) => pid !== first.pid && parentOf(pid) === process.pid)
    await vi.waitFor(() => expect(others()).toHaveLength(1), 10_000)
    process.kill(others()[0] ?? 0, 'SIGTERM')
    await waiting
    await first.close()
  })
})
