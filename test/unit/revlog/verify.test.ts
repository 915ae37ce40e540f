/** The check of a store, where no hg is needed to know what is right. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRepository, openRepository, type Verified, verifyRepository } from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildRevlog } from './reader-build-revlog.ts'

let scratch = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-verify-unit-'))
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('verify', () => {
  test('keeps thousands of files and revisions apart, and changes nothing', () => {
    const root = join(scratch, 'many')
    const files = Array.from({ length: 1_500 }, (_, i) => `${i % 7}/${i}`)
    writeFiles(root, [files, files.slice(0, 700), files.slice(600)])
    const before = namesAndBytes(root)
    const { result, problems } = check(root)
    expect(problems).toEqual([])
    expect(result).toMatchObject({
      changesets: 3,
      files: 1_500,
      changes: 1_500 + 700 + 900,
      errors: 0,
    })
    expect(namesAndBytes(root)).toEqual(before)
  })

  test.each(['zlib', 'zstd'] as const)(
    'opens a %s chunk that swells no further than it must',
    (compression) => {
      const root = join(scratch, `bomb ${compression}`)
      writeFiles(root, [['a']])
      buildRevlog(
        join(root, '.hg/store/data/a.i'),
        [{ text: Buffer.alloc(48 * 1024 * 1024), p1: -1, p2: -1, base: 0 }],
        {
          inline: true,
          generaldelta: true,
          compression,
          alter: (entry) => ({ ...entry, uncompressedLength: 100 }),
        },
      )
      const { result, problems } = check(root)
      expect(problems[0]).toMatch(/^ a@0: unpacking [0-9a-f]{12}: revlog decompress error: /)
      expect(result.firstDamagedRev).toBe(0)
    },
  )

  test('reads texts that are built on one far back, with others between', () => {
    const root = join(scratch, 'chains')
    writeFiles(root, [['a']])
    // Each built on the first one; then each on the one before the last.
    const revisions = Array.from({ length: 60 }, (_, rev) => ({
      text: Buffer.from(`${'line\n'.repeat(100)}${rev}\n`),
      p1: -1,
      p2: -1,
      base: rev < 30 ? 0 : rev - 2,
    }))
    const layout = { inline: false, generaldelta: true, compression: 'none' } as const
    buildRevlog(join(root, '.hg/store/data/a.i'), revisions, layout)
    const { problems } = check(root)
    // All texts are right; what is wrong is that nothing names them.
    expect(problems.filter((line) => /unpack/.test(line))).toEqual([])
    expect(problems.filter((line) => /points to nonexistent changeset/.test(line))).toHaveLength(59)
  })
})

/** One changeset for each list of files, which are written in it. */
function writeFiles(root: string, lists: readonly (readonly string[])[]): void {
  const writer = createRepository(root)
  for (const [rev, paths] of lists.entries()) {
    const content = Buffer.from(`${rev}\n`)
    const files = paths.map((path) => ({ kind: 'write' as const, path, content }))
    writer.commit({
      p1: rev - 1,
      p2: -1,
      user: 'u',
      time: rev,
      timezoneSeconds: 0,
      description: `${rev}`,
      files,
    })
  }
  writer.close()
}

function check(root: string): { result: Verified; problems: string[] } {
  const problems: string[] = []
  const repository = openRepository(root, { mode: 'no-mmap' })
  try {
    const result = verifyRepository(repository, {
      status: () => undefined,
      problem: (line) => problems.push(line),
    })
    return { result, problems }
  } finally {
    repository.close()
  }
}

function namesAndBytes(root: string): Record<string, string> {
  const store = join(root, '.hg/store')
  const names = readdirSync(store, { recursive: true, withFileTypes: true })
  const paths = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path).toString('latin1')]))
}
