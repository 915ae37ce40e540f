/**
 * The parts of a bundle2 stream: headers, parameters, framed payloads with their interrupts. Source:
 * `hg help internals.bundle2`.
 */
import { type ByteInput, bytesInput, pulledInput } from '../bytes/byte-input.ts'
import { RevlogError } from '../errors.ts'
import { byteString } from '../format/byte-string.ts'
import type { BundlePart } from './bundle.ts'

/** Given a part that stands in the middle of another one's payload. */
export type OnInterrupt = (part: BundlePart) => void

/** A chunk of this size announces a part in between. */
const INTERRUPT = -1

/** Header fields take at most 1 + 255 + 4 + 2 + 510 * 257 bytes. */
const MAX_HEADER_BYTES = 131_332

/** Payload chunks are handed on in pieces of at most this size. */
const PIECE_BYTES = 131_072

const NO_BYTES = new Uint8Array(0)

/** The parts in stream order. What of a payload was not read is skipped before the next part. */
export function* readParts(
  input: ByteInput,
  onInterrupt: OnInterrupt = refuseMandatory,
): Iterable<BundlePart> {
  for (;;) {
    const part = readPart(input, onInterrupt)
    if (part === undefined) return
    yield part
    skipRest(part.payload)
  }
}

/** Reads to the end of an input, for its position and its checks. */
export function skipRest(payload: ByteInput): void {
  while (payload.readSome(PIECE_BYTES).length > 0);
}

/** What happens to an interrupting part that nobody asked for. */
function refuseMandatory(part: BundlePart): void {
  if (part.name === 'error:abort') {
    throw new RevlogError('corrupt', part.parameters.get('message') ?? 'the sender gave up')
  }
  if (part.mandatory && part.name !== 'output') throw unknownPart(part.name)
}

/** The refusal of a part that must be understood and is not; Mercurial's words. */
export function unknownPart(name: string, parameters: readonly string[] = []): RevlogError {
  const which = parameters.length === 0 ? '' : ` - ${parameters.join(', ')}`
  return new RevlogError('unknown-part', `missing support for ${name}${which}`)
}

function readPart(input: ByteInput, onInterrupt: OnInterrupt): BundlePart | undefined {
  const at = input.position
  const length = readInt32(input)
  if (length === 0) return undefined
  if (length < 0 || length > MAX_HEADER_BYTES) {
    throw new RevlogError(
      'corrupt',
      `${input.name}: negative or senseless part header size ${length} at byte ${at} of the parts`,
    )
  }
  const header = bytesInput(input.read(length), `${input.name}: part header at byte ${at}`)
  const part = parseHeader(header)
  return { ...part, payload: pulledInput(input.name, pullPayload(input, onInterrupt)) }
}

function parseHeader(header: ByteInput): Omit<BundlePart, 'payload'> {
  const name = byteString(header.read(readByte(header)))
  const id = new DataView(Uint8Array.from(header.read(4)).buffer).getUint32(0)
  const mandatoryCount = readByte(header)
  const advisoryCount = readByte(header)
  const sizes = header.read(2 * (mandatoryCount + advisoryCount))
  const parameters = new Map<string, string>()
  const mandatoryParameters = new Set<string>()
  for (let i = 0; i < mandatoryCount + advisoryCount; i++) {
    const key = byteString(header.read(sizes[2 * i] ?? 0))
    if (parameters.has(key)) {
      throw new RevlogError('corrupt', `${header.name}: parameter ${JSON.stringify(key)} twice`)
    }
    parameters.set(key, byteString(header.read(sizes[2 * i + 1] ?? 0)))
    if (i < mandatoryCount) mandatoryParameters.add(key)
  }
  if (name === '') throw new RevlogError('corrupt', `${header.name}: a part without a name`)
  const lower = name.toLowerCase()
  return { name: lower, mandatory: name !== lower, id, parameters, mandatoryParameters }
}

/** Pieces of a payload: chunk after chunk, with what interrupts it handled in between. */
function pullPayload(input: ByteInput, onInterrupt: OnInterrupt): () => Uint8Array {
  let left = 0
  let ended = false
  return () => {
    while (left === 0 && !ended) {
      const at = input.position
      const length = readInt32(input)
      if (length === INTERRUPT) interrupt(input, onInterrupt)
      else if (length < 0) {
        throw new RevlogError(
          'corrupt',
          `${input.name}: negative payload chunk size ${length} at byte ${at} of the parts`,
        )
      } else if (length === 0) ended = true
      else left = length
    }
    if (ended) return NO_BYTES
    const piece = input.readSome(Math.min(left, PIECE_BYTES))
    // An input that is over: asking for one exact byte gives the error with its place.
    if (piece.length === 0) return input.read(1)
    left -= piece.length
    return piece
  }
}

function interrupt(input: ByteInput, onInterrupt: OnInterrupt): void {
  const part = readPart(input, refuseNested)
  // Mercurial sends an empty header when there is nothing to say after all.
  if (part === undefined) return
  onInterrupt(part)
  skipRest(part.payload)
}

function refuseNested(part: BundlePart): void {
  throw new RevlogError('corrupt', `part ${part.name} interrupts a part that interrupts another`)
}

function readByte(input: ByteInput): number {
  return input.read(1)[0] ?? 0
}

function readInt32(input: ByteInput): number {
  const bytes = input.read(4)
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getInt32(0)
}
