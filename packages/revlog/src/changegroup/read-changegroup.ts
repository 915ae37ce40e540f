/**
 * Reads a changegroup from a stream, one chunk at a time. Source: `hg help internals.changegroups`.
 * What the deltas mean is not looked at; that lengths make sense and nodes are whole is.
 */
import type { ByteInput } from '../bytes/byte-input.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, byteString } from '../format/byte-string.ts'
import { NODE_SIZE } from '../format/constants.ts'
import type { ChangegroupReader, ChangegroupVersion, DeltaChunk, FileGroup } from './delta-chunk.ts'

/** Bytes of a chunk before its delta, by version. */
const HEADER_BYTES: Record<ChangegroupVersion, number> = { '01': 80, '02': 100, '03': 102 }

const LENGTH_BYTES = 4

/** No chunk may be longer: a revision's text has at most 2 GiB, and this much has to fit in memory. */
const MAX_CHUNK_BYTES = 1_073_741_824

/** Mercurial's own limit of a path's length is that of the file system, far below. */
const MAX_PATH_BYTES = 65_536

/**
 * The changegroup in a stream; reading its chunks throws `truncated`, `corrupt`, `too-large`, or
 * `unsupported` for the manifests of single directories (version 03).
 */
export function readChangegroup(input: ByteInput, version: ChangegroupVersion): ChangegroupReader {
  const sections = sectionGuard()
  return {
    version,
    *changelog() {
      sections.enter(1)
      yield* readGroup(input, version)
    },
    *manifests() {
      sections.enter(2)
      yield* readGroup(input, version)
      if (version === '03') refuseTreeManifests(input)
    },
    *files() {
      sections.enter(3)
      for (;;) {
        const path = readPath(input)
        if (path === undefined) return
        const group = openFileGroup(readGroup(input, version), path)
        yield group.value
        group.skipRest()
      }
    },
  }
}

/** Holds the order of the sections: each once, one after the other. */
interface SectionGuard {
  enter(section: number): void
}

function sectionGuard(): SectionGuard {
  let last = 0
  return {
    enter(section) {
      if (section !== last + 1) {
        throw new RevlogError('usage', 'a changegroup is read once: changelog, manifests, files')
      }
      last = section
    },
  }
}

function openFileGroup(
  chunks: Generator<DeltaChunk>,
  path: ByteString,
): { readonly value: FileGroup; skipRest(): void } {
  // Not a for-of over the generator itself: leaving that early would end it before its time.
  const iterable: Iterable<DeltaChunk> = {
    [Symbol.iterator]: () => ({ next: () => chunks.next() }),
  }
  return {
    value: { path, chunks: iterable },
    skipRest() {
      while (chunks.next().done !== true);
    },
  }
}

function* readGroup(input: ByteInput, version: ChangegroupVersion): Generator<DeltaChunk> {
  let previous: Uint8Array | undefined
  for (;;) {
    const body = readChunk(input, { least: HEADER_BYTES[version], most: MAX_CHUNK_BYTES })
    if (body === undefined) return
    const chunk = parseChunk(body, version, previous)
    previous = chunk.node
    yield chunk
  }
}

function parseChunk(
  body: Uint8Array,
  version: ChangegroupVersion,
  previous: Uint8Array | undefined,
): DeltaChunk {
  const nodeAt = (at: number): Uint8Array => body.subarray(at * NODE_SIZE, (at + 1) * NODE_SIZE)
  const p1 = nodeAt(1)
  const old = version === '01'
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  return {
    node: nodeAt(0),
    p1,
    p2: nodeAt(2),
    // Version 01 has no base: it is the revision before in the group, at its start the parent.
    deltaBase: old ? (previous ?? p1) : nodeAt(3),
    linkNode: nodeAt(old ? 3 : 4),
    flags: version === '03' ? view.getUint16(HEADER_BYTES['02']) : 0,
    delta: body.subarray(HEADER_BYTES[version]),
  }
}

function readPath(input: ByteInput): ByteString | undefined {
  const bytes = readChunk(input, { least: 1, most: MAX_PATH_BYTES })
  return bytes === undefined ? undefined : byteString(bytes)
}

function refuseTreeManifests(input: ByteInput): void {
  const path = readPath(input)
  if (path === undefined) return
  throw new RevlogError(
    'unsupported',
    `${input.name}: it has manifests of single directories (treemanifest), which are not supported`,
  )
}

/** The content of the next chunk, or undefined for the empty one that ends a group. */
function readChunk(
  input: ByteInput,
  { least, most }: { readonly least: number; readonly most: number },
): Uint8Array | undefined {
  const at = input.position
  const head = input.read(LENGTH_BYTES)
  const length = new DataView(head.buffer, head.byteOffset, LENGTH_BYTES).getInt32(0)
  if (length === 0) return undefined
  const content = length - LENGTH_BYTES
  if (content < least) {
    throw new RevlogError(
      'corrupt',
      `${input.name}: invalid chunk length ${length} at byte ${at}: at least ${least + LENGTH_BYTES} are needed`,
    )
  }
  if (content > most) {
    throw new RevlogError(
      'too-large',
      `${input.name}: a chunk of ${length} bytes at byte ${at}: no more than ${most} are read`,
    )
  }
  return input.read(content)
}
