import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { dropPages, loadPages } from '@assay/measure'
import { describe, expect, it } from 'vitest'

const pageBytes = 4096

/** Pages of a file that are in memory, by mincore(2) on a mapping of it. */
const residentPages = (path: string, bytes: number): number => {
  const script = `
    const koffi = require(${JSON.stringify(createRequire(import.meta.url).resolve('koffi'))})
    const fs = require('node:fs')
    const libc = koffi.load('libc.so.6')
    const mmap = libc.func('void *mmap(void *a, size_t n, int prot, int flags, int fd, int64_t o)')
    const mincore = libc.func('int mincore(void *a, size_t n, void *vec)')
    const fd = fs.openSync(process.argv[1], 'r')
    const vector = Buffer.alloc(${Math.ceil(bytes / pageBytes)})
    mincore(mmap(null, ${bytes}, 1, 2, fd, 0), ${bytes}, vector)
    console.log(vector.filter((byte) => byte & 1).length)
  `
  return Number(execFileSync(process.execPath, ['-e', script, path], { encoding: 'utf8' }))
}

describe('a cold cache', () => {
  it('has none of the pages of a folder, sub-folders included, until they are loaded', async () => {
    // Not the system's temporary folder: that may be a tmpfs, whose pages cannot be dropped.
    const folder = mkdtempSync(join('/var/tmp', 'assay-pages-'))
    try {
      mkdirSync(join(folder, 'inner'))
      const path = join(folder, 'inner', 'file')
      const bytes = 64 * pageBytes
      writeFileSync(path, Buffer.alloc(bytes, 7))
      expect(residentPages(path, bytes)).toBe(64)
      dropPages(folder)
      expect(residentPages(path, bytes)).toBe(0)
      await loadPages(folder)
      expect(residentPages(path, bytes)).toBe(64)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
