import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { defaultHostLockPath } from '@assay/measure'
import { describe, expect, it, vi } from 'vitest'
import { recordTree } from '../../support/host-tree.ts'

const rootWithLockFolder = (mode: number): string => {
  const root = recordTree({})
  mkdirSync(join(root, 'run/lock'), { recursive: true })
  chmodSync(join(root, 'run/lock'), mode)
  return root
}

describe('the default host lock', () => {
  it('lies in /run/lock where every user may create files there', () => {
    const root = rootWithLockFolder(0o1777)
    expect(defaultHostLockPath(root)).toBe(join(root, 'run/lock/assay-host.lock'))
  })

  it('lies in /tmp otherwise, also for a user who could write to /run/lock', () => {
    const root = rootWithLockFolder(0o755)
    expect(defaultHostLockPath(root)).toBe(join(root, 'tmp/assay-host.lock'))
    const without = recordTree({})
    expect(defaultHostLockPath(without)).toBe(join(without, 'tmp/assay-host.lock'))
  })

  it('does not depend on the environment of who asks', () => {
    const before = defaultHostLockPath()
    vi.stubEnv('TMPDIR', '/somewhere/else')
    expect(defaultHostLockPath()).toBe(before)
    vi.unstubAllEnvs()
  })
})
