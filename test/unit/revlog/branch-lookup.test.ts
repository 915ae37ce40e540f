/** Branches of changesets: by Mercurial's cache where it fits, by the changesets where it does not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AccessRecord,
  createRepository,
  openRepository,
  resolveRevisions,
} from '@assay/revlog'
import { afterAll, beforeAll, expect, test } from 'vitest'

let scratch = ''
let root = ''
const nodes: Uint8Array[] = []

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-branches-'))
  root = join(scratch, 'r')
  const writer = createRepository(root)
  for (const [rev, branch] of ['default', 'side', 'side', 'default'].entries()) {
    const extra = new Map(branch === 'side' ? [['branch', branch]] : [])
    if (rev === 2) extra.set('close', '1')
    const about = { user: 'u', time: rev, timezoneSeconds: 0, description: `${rev}`, files: [] }
    nodes.push(writer.commit({ p1: rev - 1, p2: -1, extra, ...about }).node)
  }
  writer.close()
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** The cache's file: for each changeset the start of its node and a number. */
function records(...numbers: readonly number[]): Buffer {
  return Buffer.concat(
    numbers.map((number, rev) => {
      const record = Buffer.alloc(8)
      record.set(nodes[rev]?.subarray(0, 4) ?? [])
      record.writeUInt32BE(number, 4)
      return record
    }),
  )
}

function branchesWith(cache: Buffer | undefined, mode: 'no-mmap' | 'mmap-populate' = 'no-mmap') {
  const revs = join(root, '.hg/cache/rbc-revs-v1')
  rmSync(revs, { force: true })
  if (cache !== undefined) writeFileSync(revs, cache)
  writeFileSync(join(root, '.hg/cache/rbc-names-v1'), 'default\0side\0other')
  const opened: AccessRecord[] = []
  const repository = openRepository(root, {
    mode,
    mmapThreshold: 1,
    onAccess: (one) => opened.push(one),
  })
  try {
    const found = nodes.map((_, rev) => repository.branches.branchOf(rev))
    return {
      branches: found.map(({ branch, closes }) => `${branch}${closes ? ' closed' : ''}`),
      used: opened.filter(({ file }) => file.endsWith('rbc-revs-v1')).map(({ used }) => used),
      side: resolveRevisions(repository, 'branch(side)'),
    }
  } finally {
    repository.close()
  }
}

const RIGHT = { branches: ['default', 'side', 'side closed', 'default'], side: [1, 2] }

test('the cache is read in the access mode, and believed', () => {
  const cache = records(0, 1, 0x8000_0001, 0)
  expect(branchesWith(cache)).toEqual({ ...RIGHT, used: ['read'] })
  expect(branchesWith(cache, 'mmap-populate')).toEqual({ ...RIGHT, used: ['mmap'] })
  expect(branchesWith(records(0, 1, 1, 2)).branches).toEqual(['default', 'side', 'side', 'other'])
})

test('without a cache, or where it is short, of other nodes or names nothing, the changeset is asked', () => {
  expect(branchesWith(undefined)).toEqual({ ...RIGHT, used: [] })
  const others = records(2, 2, 2, 2)
    .fill(0x55, 0, 4)
    .fill(0x55, 8, 12)
    .fill(0x55, 16, 20)
    .fill(0x55, 24, 28)
  for (const cache of [
    records(0),
    Buffer.alloc(0),
    others,
    records(9, 9, 9, 9),
    Buffer.alloc(32),
  ]) {
    expect(branchesWith(cache)).toEqual({ ...RIGHT, used: ['read'] })
  }
})
