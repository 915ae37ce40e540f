/** Datasets from tarballs: what is in them, and what a hostile one cannot do. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { datasetDigest, generateDataset, prepareDataset } from '@assay/bench'
import { type Headers, pack } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let root = ''
let cache = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-tarball-'))
  cache = join(root, 'cache')
})
afterEach(() => rmSync(root, { recursive: true }))

type Entry = Partial<Headers> & { readonly name: string; readonly content?: string | Buffer }

const packed = async (entries: readonly Entry[]): Promise<Buffer> => {
  const archive = pack()
  for (const { content, ...header } of entries) archive.entry(header, content ?? '')
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const prepare = (location: string, digest: string) =>
  prepareDataset({
    spec: {
      ...{ name: 'packed', format: [] },
      source: { kind: 'tarball', location, options: { sha256: [digest] } },
    },
    cacheDirectory: cache,
  })

const prepareBytes = (bytes: Buffer) => {
  const file = join(root, 'packed.tar')
  writeFileSync(file, bytes)
  return prepare(file, sha256(bytes))
}

/** A repository's files below NAME/, with some that a dataset must not have. */
const repository = async (): Promise<readonly Entry[]> => {
  const directory = join(root, 'original')
  await generateDataset({
    ...{ directory, preset: 'mercurial-like', scale: 0.0005, format: ['zlib'], seed: '1' },
  })
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
  return [
    ...files.map((name) => ({
      name: `NAME/${name}`,
      content: readFileSync(join(directory, name)),
    })),
    { name: 'NAME/.hg/hgrc', content: '[hooks]\npre-log = touch executed\n' },
    { name: 'NAME/README', content: 'a working file' },
    { name: 'NAME/link', type: 'symlink', linkname: 'README' },
    { name: 'NAME/.hg/undo.dirstate', type: 'link', linkname: 'NAME/.hg/dirstate' },
  ]
}
const code = (value: string) => expect.objectContaining({ code: value })
const leftBehind = () => (existsSync(cache) ? readdirSync(cache) : [])

describe('a dataset from a tarball', () => {
  it('has the history of the repository, and neither its configuration nor its files', async () => {
    const made = await prepareBytes(gzipSync(await packed(await repository())))
    expect(made.digest).toBe(datasetDigest(join(root, 'original')))
    expect(readdirSync(made.directory)).toEqual(['.hg'])
    expect(readdirSync(join(made.directory, '.hg')).sort()).toEqual([
      ...['00changelog.i', 'requires', 'store'],
    ])
  })

  it('comes by HTTP, once; another file under the same address is refused', async () => {
    const bytes = await packed(await repository())
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      response.end(bytes)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const url = `http://127.0.0.1:${port}/netbeans.tar.gz`
    try {
      const first = await prepare(url, sha256(bytes))
      expect((await prepare(url, sha256(bytes))).directory).toBe(first.directory)
      expect(requests).toBe(1)
      await expect(prepare(url, '0'.repeat(64))).rejects.toThrow(
        `has the SHA-256 ${sha256(bytes)}, not 000`,
      )
      expect(readdirSync(cache)).toHaveLength(1)
    } finally {
      server.close()
    }
    // Nobody listens there any more.
    await expect(prepare(url, '1'.repeat(64))).rejects.toThrow('cannot be fetched: ')
    expect(readdirSync(cache)).toHaveLength(1)
  })

  it.each<[string, Entry]>([
    ['a name with ..', { name: 'NAME/../../outside', content: 'x' }],
    ['an absolute name', { name: '/outside', content: 'x' }],
    ['a link out', { name: 'NAME/link', type: 'symlink', linkname: '../../outside' }],
    ['an absolute link', { name: 'NAME/link', type: 'symlink', linkname: '/etc/passwd' }],
    ['a hard link out', { name: 'NAME/link', type: 'link', linkname: '../outside' }],
    ['a link as store', { name: 'NAME/.hg/store/x', type: 'symlink', linkname: '00changelog.i' }],
    ['a device', { name: 'NAME/device', type: 'character-device' }],
    ['a fifo', { name: 'NAME/fifo', type: 'fifo' }],
  ])('%s: refused whole, and nothing is left', async (_, hostile) => {
    const bytes = await packed([...(await repository()), hostile])
    await expect(prepareBytes(bytes)).rejects.toThrow(code('archive-unsafe'))
    expect(leftBehind()).toEqual([])
    expect(existsSync(join(root, 'outside'))).toBe(false)
  })

  it('a size that no disk has is refused before anything of it is read', async () => {
    const header = (await packed([{ name: 'NAME/.hg/store/data/bomb.i', content: '' }])).subarray(
      0,
      512,
    )
    // A size above eight octal digits is written in base 256: 2^62 bytes, and the checksum anew.
    const bomb = Buffer.from(header)
    bomb.fill(0, 124, 136)
    bomb[124] = 0x80
    bomb.writeBigUInt64BE(2n ** 50n, 128)
    bomb.fill(' ', 148, 156)
    const sum = bomb.reduce((total, byte) => total + byte, 0)
    bomb.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    await expect(prepareBytes(gzipSync(bomb))).rejects.toThrow('does not fit on the disk')
    expect(leftBehind()).toEqual([])
  })

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut off', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['cut off, packed', (bytes) => gzipSync(bytes).subarray(0, 2000)],
    [
      'cut off, packed by zstd',
      (bytes) => execFileSync('zstd', ['-q'], { input: bytes }).subarray(0, -9),
    ],
    ['no archive', () => Buffer.from('this is no archive, however long it may be'.repeat(50))],
    ['empty', () => Buffer.alloc(0)],
  ])('%s: an error, and nothing is left', async (_, spoil) => {
    await expect(prepareBytes(spoil(await packed(await repository())))).rejects.toThrow(
      expect.objectContaining({ kind: 'unmeasurable' }),
    )
    expect(leftBehind()).toEqual([])
  })
})
