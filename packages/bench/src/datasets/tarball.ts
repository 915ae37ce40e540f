/** Source `tarball`: a packed repository, by path or URL, known by its SHA-256 before anything is unpacked. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, rmSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { archiveUnsafe, datasetSourceUnusable } from '../errors.ts'
import { isPath, refuseLocation } from './locations.ts'
import type { SourceKind, SourceSite } from './source-kind.ts'
import { unpackRepository } from './unpack.ts'

/** Of what is free on the disk, how much one tarball may take; chosen. */
const largestPart = 0.9

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize * largestPart
}

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}

/** A limit on what a server sends. */
const atMost = (limit: number, place: string) =>
  async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > limit) throw archiveUnsafe(place, 'it does not fit on the disk')
      yield chunk
    }
  }

const download = async (url: string, site: Omit<SourceSite, 'directory'>): Promise<string> => {
  const { scratch, signal } = site
  const file = join(scratch, 'download')
  const response = await fetch(url, signal === undefined ? {} : { signal }).catch(
    (error: unknown) => {
      signal?.throwIfAborted()
      throw datasetSourceUnusable(url, `cannot be fetched: ${causeOf(error)}`)
    },
  )
  if (!response.ok || response.body === null) {
    throw datasetSourceUnusable(url, `cannot be fetched: the server says ${response.status}`)
  }
  const body = Readable.from(response.body)
  await pipeline(body, atMost(freeBytes(scratch), url), createWriteStream(file, { flags: 'wx' }))
  return file
}

const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

const readable = async (file: string, place: string): Promise<string> => {
  try {
    return await sha256Of(file)
  } catch (error) {
    throw datasetSourceUnusable(place, `cannot be read: ${causeOf(error)}`)
  }
}

export const tarball: SourceKind = {
  name: 'tarball',
  summary: 'a packed repository by path or URL: tar, alone or with gzip, bzip2, xz or zstd',
  options: [
    {
      name: 'sha256',
      summary: "the packed file's SHA-256; another file is refused",
      required: true,
      many: false,
      pattern: { expression: /^[0-9a-f]{64}$/, wanted: '64 hexadecimal digits in lower case' },
    },
  ],
  refusalOf: (location) => refuseLocation(location, ['http', 'https']),
  // The same bytes are the same dataset, wherever they come from.
  keyOf: ({ options }) => options['sha256'] ?? [],
  fetch: async ({ location, options }, { directory, scratch, signal }) => {
    const isLocal = isPath(location)
    const file = isLocal ? resolve(location) : await download(location, { scratch, signal })
    const wanted = options['sha256']?.[0] ?? ''
    const found = await readable(file, location)
    if (found !== wanted) {
      throw datasetSourceUnusable(location, `has the SHA-256 ${found}, not ${wanted}`)
    }
    const limit = freeBytes(scratch)
    await unpackRepository({ file, place: location, directory, limit, signal })
    if (!isLocal) rmSync(file)
  },
}
