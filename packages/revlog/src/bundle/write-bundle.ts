/**
 * Writes a bundle: changesets of a repository as `hg bundle` packs them. Sources: `hg help
 * internals.bundles`, `internals.bundle2`; parts, their order and parameters as observed in what
 * Mercurial 6.3 writes.
 */
import { type ChangegroupSource, writeChangegroup } from '../changegroup/write-changegroup.ts'
import { compressPieces } from '../compression/stream.ts'
import { bytesOf } from '../format/byte-string.ts'
import { phaseHeads, revBranchCache } from './extra-parts.ts'

/** The types of bundle that are written, by Mercurial's names. */
export const BUNDLE_TYPES = ['none-v1', 'gzip-v1', 'none-v2', 'gzip-v2', 'zstd-v2'] as const

/** A type of bundle. */
export type BundleType = (typeof BUNDLE_TYPES)[number]

/** What to write. */
export interface WriteBundleOptions extends ChangegroupSource {
  readonly type: BundleType
  /** With a part that says the changesets' phases; version 1 has none. */
  readonly phases?: boolean
}

/** A part to write. */
export interface OutgoingPart {
  /** An upper case letter makes it mandatory. */
  readonly name: string
  readonly mandatoryParameters?: ReadonlyMap<string, string>
  readonly advisoryParameters?: ReadonlyMap<string, string>
  readonly payload: Iterable<Uint8Array>
}

/** Mercurial cuts payloads into chunks of this size. */
const PAYLOAD_CHUNK_BYTES = 32_768

const STREAM_PARAMETERS = { none: '', gzip: 'Compression=GZ', zstd: 'Compression=ZS' } as const

/** The bundle in pieces. Throws what writeChangegroup() throws, and `native-missing`. */
export function* writeBundle(options: WriteBundleOptions): Iterable<Uint8Array> {
  const { type } = options
  if (type === 'none-v1' || type === 'gzip-v1') {
    const [letters, compression] =
      type === 'none-v1' ? (['UN', 'none'] as const) : (['GZ', 'gzip'] as const)
    yield bytesOf(`HG10${letters}`)
    yield* compressPieces(writeChangegroup(options, '01'), compression)
    return
  }
  const compression = type === 'none-v2' ? 'none' : type === 'gzip-v2' ? 'gzip' : 'zstd'
  yield* writeBundle2(bundleParts(options), compression)
}

/** A bundle2 stream of these parts, numbered from 0. */
export function* writeBundle2(
  parts: Iterable<OutgoingPart>,
  compression: keyof typeof STREAM_PARAMETERS,
): Iterable<Uint8Array> {
  const parameters = STREAM_PARAMETERS[compression]
  yield Buffer.concat([bytesOf('HG20'), uint32(parameters.length), bytesOf(parameters)])
  yield* compressPieces(writeParts(parts), compression)
}

function* bundleParts(options: WriteBundleOptions): Iterable<OutgoingPart> {
  const { outgoing, phases = false } = options
  yield {
    name: 'CHANGEGROUP',
    mandatoryParameters: new Map([['version', '02']]),
    advisoryParameters: new Map([['nbchanges', `${outgoing.revs.length}`]]),
    payload: writeChangegroup(options, '02'),
  }
  yield { name: 'cache:rev-branch-cache', payload: [revBranchCache(options)] }
  if (phases) yield { name: 'PHASE-HEADS', payload: [phaseHeads(options)] }
}

function* writeParts(parts: Iterable<OutgoingPart>): Iterable<Uint8Array> {
  let id = 0
  for (const part of parts) {
    yield partHeader(part, id++)
    yield* framed(part.payload)
    yield uint32(0)
  }
  yield uint32(0)
}

function partHeader(part: OutgoingPart, id: number): Uint8Array {
  const { name, mandatoryParameters = NONE, advisoryParameters = NONE } = part
  const parameters = [...mandatoryParameters, ...advisoryParameters]
  const sizes = parameters.flatMap(([key, value]) => [key.length, value.length])
  const header = Buffer.concat([
    Uint8Array.of(name.length),
    bytesOf(name),
    uint32(id),
    Uint8Array.of(mandatoryParameters.size, advisoryParameters.size, ...sizes),
    bytesOf(parameters.flat().join('')),
  ])
  return Buffer.concat([uint32(header.length), header])
}

const NONE: ReadonlyMap<string, string> = new Map()

/** The payload in frames of one size, the last one shorter. */
function* framed(payload: Iterable<Uint8Array>): Iterable<Uint8Array> {
  let frame = Buffer.allocUnsafe(4 + PAYLOAD_CHUNK_BYTES)
  let filled = 4
  for (const piece of payload) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + frame.length - filled)
      frame.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < frame.length) continue
      frame.writeUInt32BE(PAYLOAD_CHUNK_BYTES)
      yield frame
      frame = Buffer.allocUnsafe(4 + PAYLOAD_CHUNK_BYTES)
      filled = 4
    }
  }
  if (filled === 4) return
  frame.writeUInt32BE(filled - 4)
  yield frame.subarray(0, filled)
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}
