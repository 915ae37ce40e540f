/** The access modes: same bytes by each, Mercurial's rules for when to map, and the traps of mmap. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  ACCESS_MODES,
  type AccessMode,
  type ByteSource,
  loadMappingCalls,
  type MappingCalls,
  openByteSource,
  RevlogError,
} from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const MAPPING_MODES = ACCESS_MODES.filter((mode) => mode !== 'no-mmap')
const cli = createRequire(import.meta.url).resolve('@assay/revlog/cli')
const library = join(dirname(cli), 'index.js')

let scratch = ''
let file = ''
const content = Buffer.alloc(300_000, 'some bytes, and some more; ')

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-bytes-'))
  file = join(scratch, 'file')
  writeFileSync(file, content)
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('opening', () => {
  test.each(ACCESS_MODES)('%s gives the bytes of the file', (mode) => {
    const source = openByteSource(file, { mode, mmapThreshold: 1 })
    expect(source.length).toBe(content.length)
    expect(Buffer.compare(source.bytes(), content)).toBe(0)
    source.close()
  })

  test('the record says what was done', () => {
    const done = (mode: AccessMode) => recordOf(file, mode, 1)
    expect(done('no-mmap')).toMatchObject({ used: 'read', populated: 'no', bytes: content.length })
    expect(done('mmap-no-populate')).toMatchObject({ used: 'mmap', populated: 'no' })
    expect(done('mmap-populate')).toMatchObject({ used: 'mmap', populated: 'main-thread' })
    expect(done('mmap-populate-thread')).toMatchObject({ used: 'mmap', populated: 'second-thread' })
    for (const mode of ACCESS_MODES) {
      expect(done(mode)).not.toHaveProperty('reason')
      expect(done(mode)).toMatchObject({ file, mode })
    }
  })

  test('a file is mapped from exactly the threshold up', () => {
    expect(recordOf(file, 'mmap-populate', content.length).used).toBe('mmap')
    const below = recordOf(file, 'mmap-populate', content.length + 1)
    expect(below.used).toBe('read')
    expect(below.reason).toContain('threshold')
  })

  test('the default threshold is that of Mercurial, 1 MiB', () => {
    const source = openByteSource(file, { mode: 'mmap-populate' })
    expect(source.access).toMatchObject({
      used: 'read',
      reason: expect.stringContaining('1048576'),
    })
    source.close()
  })

  test('an empty file has no bytes and is not mapped', () => {
    const empty = join(scratch, 'empty')
    writeFileSync(empty, '')
    for (const mode of ACCESS_MODES) {
      const source = openByteSource(empty, { mode, mmapThreshold: 0 })
      expect([source.length, source.bytes().length, source.access.used]).toEqual([0, 0, 'read'])
      source.close()
    }
  })

  test('a file that is not there is an error that names it', () => {
    const open = () => openByteSource(join(scratch, 'missing'), { mode: 'no-mmap' })
    expect(open).toThrow(RevlogError)
    expect(open).toThrow(/missing/)
  })
})

describe('closing', () => {
  test.each(ACCESS_MODES)('%s: bytes() after close() is a typed error', (mode) => {
    const source = openByteSource(file, { mode, mmapThreshold: 1 })
    source.close()
    expect(codeOf(() => source.bytes())).toBe('closed')
  })

  test.each(MAPPING_MODES)('%s: a mapping is unmapped exactly once', async (mode) => {
    const seen = watchedCalls()
    const source = openByteSource(file, { mode, mmapThreshold: 1, loadCalls: () => seen.calls })
    expect(seen.viewCount()).toBe(1)
    source.bytes()
    source.bytes()
    source.close()
    source.close()
    await seen.threadsDone()
    source.close()
    expect([seen.mapped.length, seen.unmapped.length, seen.viewCount()]).toEqual([1, 1, 1])
    expect(seen.unmapped).toEqual(seen.mapped)
  })

  test('while the second thread populates, close() leaves unmapping to its end', async () => {
    const seen = watchedCalls()
    const options = { mode: 'mmap-populate-thread', mmapThreshold: 1 } as const
    const source = openByteSource(file, { ...options, loadCalls: () => seen.calls })
    source.close()
    expect(seen.unmapped).toEqual([])
    await seen.threadsDone()
    expect(seen.unmapped).toEqual(seen.mapped)
  })
})

describe('falling back', () => {
  test('without native calls every mode reads and says why', () => {
    for (const mode of MAPPING_MODES) {
      const source = openByteSource(file, {
        mode,
        mmapThreshold: 1,
        loadCalls: () => {
          throw new Error('Cannot find the native Koffi module')
        },
      })
      expect(source.access).toMatchObject({
        used: 'read',
        reason: expect.stringContaining('Koffi'),
      })
      expect(Buffer.compare(source.bytes(), content)).toBe(0)
      source.close()
    }
  })

  test('a kernel without MADV_POPULATE_READ populates with the mapping instead', () => {
    const EINVAL = 22
    const real = loadMappingCalls()
    const populates: boolean[] = []
    const calls: MappingCalls = {
      ...real,
      advise: () => EINVAL,
      map(fd, sizeBytes, populate) {
        populates.push(populate)
        return real.map(fd, sizeBytes, populate)
      },
    }
    const source = openWith(calls, 'mmap-populate-thread')
    expect(source.access).toMatchObject({ used: 'mmap', populated: 'main-thread' })
    expect(source.access.reason).toContain('MADV_POPULATE_READ')
    expect(populates).toEqual([true])
    source.close()
  })

  test('a mapping that the system refuses becomes a read', () => {
    const ENOMEM = 12
    const calls: MappingCalls = {
      ...loadMappingCalls(),
      map: () => ({ address: 0n, errno: ENOMEM }),
    }
    const source = openWith(calls, 'mmap-populate')
    expect(source.access).toMatchObject({ used: 'read', reason: expect.stringContaining('12') })
    expect(Buffer.compare(source.bytes(), content)).toBe(0)
    source.close()
  })

  test('without a free thread it populates in the main one', () => {
    const calls: MappingCalls = {
      ...loadMappingCalls(),
      adviseInThread: () => {
        throw new Error('Too many asynchronous calls are running')
      },
    }
    const source = openWith(calls, 'mmap-populate-thread')
    expect(source.access).toMatchObject({ populated: 'main-thread' })
    expect(source.access.reason).toContain('Too many')
    source.close()
  })

  test('the bundled program works where koffi is not installed', () => {
    const lonely = join(scratch, 'lonely')
    const store = join(lonely, '.hg', 'store')
    mkdirSync(store, { recursive: true })
    copyFileSync(cli, join(lonely, 'revlog.cjs'))
    writeFileSync(join(lonely, '.hg', 'requires'), 'revlogv1\nstore\n')
    // One revision whose chunk is empty: header, no lengths, base 0, link 0, no parents.
    const entry = Buffer.alloc(64)
    entry.writeUInt32BE(0x0000_0001)
    entry.writeInt32BE(-1, 24)
    entry.writeInt32BE(-1, 28)
    writeFileSync(join(store, '00changelog.i'), entry)
    const child = spawnSync(
      process.execPath,
      ['revlog.cjs', 'debugindex', '-c', '--debug', '--mmap-threshold', '1'],
      { cwd: lonely, encoding: 'utf8' },
    )
    expect(child.stderr).toMatch(/"used":"read".*native calls are missing/)
    expect([child.status, child.stdout.split('\n').length]).toEqual([0, 3])
  })
})

describe('in a process of its own', () => {
  test('populating takes the page faults away from the reader', () => {
    const directory = existsSync('/dev/shm') ? '/dev/shm' : scratch
    const large = join(mkdtempSync(join(directory, 'revlog-faults-')), 'large')
    try {
      writeFileSync(large, Buffer.alloc(32 << 20, 1))
      const faults = (mode: AccessMode) => Number(runChild(FAULTS_ON_TOUCH, [large, mode]).stdout)
      const plain = faults('mmap-no-populate')
      expect(plain).toBeGreaterThan(20)
      expect(faults('mmap-populate')).toBeLessThan(plain / 2)
      expect(faults('mmap-populate-thread')).toBeLessThan(plain / 2)
    } finally {
      rmSync(dirname(large), { recursive: true })
    }
  })

  test('using a revlog after close() is an error of ours and never ends the process', () => {
    const child = runChild(USE_AFTER_CLOSE, [file])
    expect([child.signal, child.status, child.stdout]).toEqual([null, 0, 'closed closed\n'])
  })

  test('a chunk of a mapped inline revlog may be kept beyond close()', () => {
    const child = runChild(KEEP_CHUNK, [join(scratch, 'inline')])
    expect([child.signal, child.status, child.stdout]).toEqual([null, 0, 'u some text\n'])
  })

  test('a process may end while a thread populates', () => {
    const child = runChild(END_WHILE_POPULATING, [file])
    expect([child.signal, child.status, child.stdout]).toEqual([null, 0, 'done\n'])
  })
})

const FAULTS_ON_TOUCH = `
const [file, mode] = process.argv.slice(1)
const source = openByteSource(file, { mode, mmapThreshold: 1 })
const bytes = source.bytes()
const touch = (from, to) => { let sum = 0; for (let at = from; at < to; at += 4096) sum += bytes[at]; return sum }
setTimeout(() => {
  touch(0, 1 << 16)
  const before = process.resourceUsage().minorPageFault
  touch(1 << 16, bytes.length)
  console.log(process.resourceUsage().minorPageFault - before)
}, 200)`

const KEEP_CHUNK = `
const [name] = process.argv.slice(1)
const paths = { indexPath: name + '.i', dataPath: name + '.d' }
const writer = openRevlogWriter({ ...paths, compression: 'none', generaldelta: true, sparse: false })
writer.append({ text: Buffer.from(' some text'), p1: -1, p2: -1, linkRev: 0 })
writer.flush()
const log = openRevlog({ ...paths, mode: 'mmap-populate', mmapThreshold: 1 })
if (log.access.used !== 'mmap') throw new Error('not mapped')
const kept = [log.storedChunk(0), log.chunk(0), log.storedSegment(0, 0), log.rawText(0)]
log.close()
for (const chunk of kept) for (const byte of chunk) if (byte === 0) throw new Error('zero')
console.log(Buffer.from(kept[0]).toString())`

const USE_AFTER_CLOSE = `
const [file] = process.argv.slice(1)
const source = openByteSource(file, { mode: 'mmap-populate', mmapThreshold: 1 })
source.close()
source.close()
const codes = []
for (const use of [() => source.bytes()[0], () => source.bytes().slice()]) {
  try { use() } catch (error) { codes.push(error.code) }
}
console.log(...codes)`

const END_WHILE_POPULATING = `
const [file] = process.argv.slice(1)
for (let i = 0; i < 3; i++) {
  const source = openByteSource(file, { mode: 'mmap-populate-thread', mmapThreshold: 1 })
  if (i > 0) source.close()
}
console.log('done')`

function runChild(script: string, args: readonly string[]) {
  const program = `import { openByteSource, openRevlog, openRevlogWriter } from ${JSON.stringify(library)}\n${script}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', program, '--', ...args], {
    encoding: 'utf8',
  })
}

function openWith(calls: MappingCalls, mode: AccessMode): ByteSource {
  return openByteSource(file, { mode, mmapThreshold: 1, loadCalls: () => calls })
}

function recordOf(path: string, mode: AccessMode, mmapThreshold: number) {
  const source = openByteSource(path, { mode, mmapThreshold })
  source.close()
  return source.access
}

/** The real calls, with a note of what was mapped and unmapped. */
function watchedCalls() {
  const real = loadMappingCalls()
  const mapped: bigint[] = []
  const unmapped: bigint[] = []
  const threads: Promise<void>[] = []
  let views = 0
  const calls: MappingCalls = {
    ...real,
    map(fd, sizeBytes, populate) {
      const result = real.map(fd, sizeBytes, populate)
      mapped.push(result.address)
      return result
    },
    unmap(address, sizeBytes) {
      unmapped.push(address)
      return real.unmap(address, sizeBytes)
    },
    view(address, sizeBytes) {
      views++
      return real.view(address, sizeBytes)
    },
    adviseInThread(region, advice, done) {
      threads.push(
        new Promise((resolve) => {
          real.adviseInThread(region, advice, (errno) => {
            done(errno)
            resolve()
          })
        }),
      )
    },
  }
  const threadsDone = async (): Promise<void> => {
    await Promise.all(threads)
  }
  return { calls, mapped, unmapped, viewCount: () => views, threadsDone }
}

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof RevlogError) return error.code
    throw error
  }
  return 'nothing thrown'
}
