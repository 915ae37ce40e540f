import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownHolder, parseHolder, takeLock, withRepositoryLocks } from '@assay/revlog'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder = ''
let path = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'revlog-locks-'))
  path = join(folder, 'lock')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const request = (timeoutSeconds = 0, waits: string[] = []) => ({
  path,
  what: 'repository r',
  timeoutSeconds,
  onWait: (message: string) => waits.push(message),
})

describe('a lock', () => {
  test('names its host, its pid namespace and its process, and is gone after its release', () => {
    const lock = takeLock(request())
    expect(parseHolder(readlinkSync(path))).toEqual(ownHolder())
    expect(ownHolder().host).toMatch(new RegExp(`^${hostname()}/[0-9a-f]+$`))
    lock.release()
    lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is refused while its holder lives, after the wait that was asked for', () => {
    takeLock(request())
    const waits: string[] = []
    const started = performance.now()
    expect(() => takeLock(request(0.3, waits))).toThrow(
      expect.objectContaining({
        code: 'locked',
        message: `repository r: timed out waiting for lock held by '${readlinkSync(path)}'`,
      }),
    )
    expect(performance.now() - started).toBeGreaterThan(290)
    expect(waits).toEqual([expect.stringContaining(`held by process '${process.pid}' on host`)])
  })

  test('of a dead process is broken, and so is what a dead breaker left', () => {
    const dead = `${ownHolder().host}:${spawnSync('true').pid}`
    symlinkSync(dead, path)
    symlinkSync(dead, `${path}.break`)
    takeLock(request(1)).release()
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['elsewhere:1', 'no form at all', `${hostname()}/0:1`])(
    'of a holder that cannot be asked stays: %s',
    (holder) => {
      symlinkSync(holder, path)
      expect(() => takeLock(request())).toThrow(expect.objectContaining({ code: 'locked' }))
      expect(readlinkSync(path)).toBe(holder)
    },
  )

  test('that somebody else has taken meanwhile is left to him', () => {
    const lock = takeLock(request())
    rmSync(path)
    symlinkSync('elsewhere:1', path)
    lock.release()
    expect(readlinkSync(path)).toBe('elsewhere:1')
  })

  test('that cannot be made says why', () => {
    path = join(folder, 'missing', 'lock')
    expect(() => takeLock(request())).toThrow(
      expect.objectContaining({
        code: 'system',
        message: 'could not lock repository r: No such file or directory',
      }),
    )
  })
})

test('the locks of a repository are there during the action and gone after it, also when it throws', () => {
  mkdirSync(join(folder, '.hg', 'store'), { recursive: true })
  const held = () => [readdirSync(join(folder, '.hg')), readdirSync(join(folder, '.hg', 'store'))]
  expect(withRepositoryLocks(folder, {}, held)).toEqual([['store', 'wlock'], ['lock']])
  expect(() =>
    withRepositoryLocks(folder, {}, () => {
      throw new Error('mine')
    }),
  ).toThrow('mine')
  expect(held()).toEqual([['store'], []])
})
