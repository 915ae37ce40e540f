import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyDataset } from '@assay/measure'
import { afterAll, describe, expect, it } from 'vitest'

const scratch = mkdtempSync(join(tmpdir(), 'assay-copy-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const contentOf = (path: Buffer): string => {
  const facts = lstatSync(path)
  if (facts.isSymbolicLink()) return readlinkSync(path)
  return facts.isFile() ? readFileSync(path, 'latin1') : 'folder'
}

/** Every entry by its name, which need not be text, with all that a copy must keep. */
const describeTree = (folder: string | Buffer, name = Buffer.from('')): unknown[] => {
  const path = Buffer.concat([Buffer.from(folder), name])
  const { mode, mtimeNs } = lstatSync(path, { bigint: true })
  const content = contentOf(path)
  const entries = content === 'folder' ? readdirSync(path, { encoding: 'buffer' }) : []
  const inner = entries
    .toSorted(Buffer.compare)
    .flatMap((entry) => describeTree(folder, Buffer.concat([name, Buffer.from('/'), entry])))
  return [[name.toString('latin1'), mode, mtimeNs, content], ...inner]
}

const original = join(scratch, 'original')
mkdirSync(join(original, '.hg/store/data'), { recursive: true })
writeFileSync(join(original, '.hg/store/00changelog.i'), Buffer.alloc(100_000, 7))
writeFileSync(join(original, '.hg/store/data/empty'), '')
writeFileSync(
  Buffer.concat([Buffer.from(`${original}/b\xe9`, 'latin1')]),
  'a name that is no UTF-8',
)
writeFileSync(join(original, 'run'), '#!/bin/sh\n')
chmodSync(join(original, 'run'), 0o755)
chmodSync(join(original, '.hg/store/data/empty'), 0o440)
symlinkSync('nowhere', join(original, 'link'))
utimesSync(join(original, 'run'), 1_234_567_890.123_456, 987_654_321.987_654)
chmodSync(join(original, '.hg/store/data'), 0o550)

describe('a copy of a dataset', () => {
  it('is the same in bytes, modes and times to the nanosecond, and tells its size', async () => {
    const before = describeTree(original)
    const { bytes, reflinked } = await copyDataset(original, join(scratch, 'copy'))
    expect(describeTree(join(scratch, 'copy'))).toEqual(before)
    expect(describeTree(original)).toEqual(before)
    expect(bytes).toBe(100_000 + 'a name that is no UTF-8'.length + '#!/bin/sh\n'.length)
    expect(typeof reflinked).toBe('boolean')
  })

  it('can be written without touching the original', async () => {
    const copy = join(scratch, 'written')
    await copyDataset(original, copy)
    const before = describeTree(original)
    writeFileSync(join(copy, '.hg/store/00changelog.i'), 'x', { flag: 'r+' })
    expect(describeTree(original)).toEqual(before)
    expect(readFileSync(join(copy, '.hg/store/00changelog.i'))[0]).toBe('x'.charCodeAt(0))
  })

  it('that shares no blocks says so: memory has no blocks to share', async () => {
    const memory = mkdtempSync('/dev/shm/assay-copy-')
    try {
      expect(await copyDataset(original, join(memory, 'copy'))).toMatchObject({ reflinked: false })
    } finally {
      chmodSync(join(memory, 'copy/.hg/store/data'), 0o700)
      rmSync(memory, { recursive: true })
    }
  })

  it('is not made over something that is there, nor of what is not', async () => {
    const there = join(scratch, 'there')
    mkdirSync(there)
    await expect(copyDataset(original, there)).rejects.toMatchObject({ code: 'copy-failed' })
    await expect(copyDataset(join(scratch, 'absent'), join(scratch, 'x'))).rejects.toMatchObject({
      code: 'copy-failed',
      message: expect.stringContaining('ENOENT'),
    })
  })
})
