/**
 * Opens a bundle from a stream: its header, its decompression, its parts, lazily. Sources:
 * `hg help internals.bundles`, `internals.bundle2`. What parts mean is left to their readers.
 */
import { type ByteInput, bytesInput, pulledInput } from '../bytes/byte-input.ts'
import { decompressedInput, type OnWholeStream } from '../compression/stream.ts'
import { RevlogError } from '../errors.ts'
import { byteString } from '../format/byte-string.ts'
import type { Bundle, BundleCompression, BundlePart } from './bundle.ts'
import { type OnInterrupt, readParts, skipRest } from './read-parts.ts'

/** How to open a bundle. */
export interface OpenBundleOptions {
  /** Told when the stream has to be taken into memory whole, and why; silent if not given. */
  readonly onWholeStream?: OnWholeStream
  /** Given a part that interrupts another one; unknown ones are then skipped or refused by it. */
  readonly onInterrupt?: OnInterrupt
}

/** Stream parameters have at most a few dozen bytes; this much is never meant. */
const MAX_PARAMETERS_BYTES = 65_536

/** Compression by its two letters in headers and in the stream parameter `Compression`. */
const COMPRESSIONS: ReadonlyMap<string, BundleCompression> = new Map([
  ['UN', 'none'],
  ['GZ', 'gzip'],
  ['BZ', 'bzip2'],
  ['ZS', 'zstd'],
])

/**
 * Opens the bundle that starts at the input's position. Throws `corrupt` for what is no bundle,
 * `unsupported` for one of another kind, `unknown-part` for an unknown mandatory stream parameter,
 * `truncated`.
 */
export function openBundle(input: ByteInput, options: OpenBundleOptions = {}): Bundle {
  const magic = byteString(input.read(4))
  const onWholeStream = options.onWholeStream ?? (() => undefined)
  if (magic === 'HG10') return openVersion1(input, onWholeStream)
  if (magic === 'HG20') return openVersion2(input, { ...options, onWholeStream })
  if (magic === 'HGS1') {
    throw new RevlogError('unsupported', `${input.name}: stream clone bundles are not supported`)
  }
  // Mercurial's words.
  if (!magic.startsWith('HG')) {
    throw new RevlogError('corrupt', `${input.name}: not a Mercurial bundle`)
  }
  throw new RevlogError(
    'unsupported',
    `${input.name}: unknown bundle version ${printable(magic.slice(2))}`,
  )
}

function openVersion1(input: ByteInput, onWholeStream: OnWholeStream): Bundle {
  const letters = byteString(input.read(2))
  const compression = letters === 'ZS' ? undefined : COMPRESSIONS.get(letters)
  if (compression === undefined) {
    throw new RevlogError(
      'corrupt',
      `${input.name}: unknown compression ${printable(letters)} at byte 4 of a bundle of version 10`,
    )
  }
  // The header's BZ is the beginning of the bzip2 stream as well.
  const source = compression === 'bzip2' ? prefixed('BZ', input) : input
  const payload = decompressedInput(source, compression, onWholeStream)
  const part: BundlePart = {
    name: 'changegroup',
    mandatory: true,
    id: 0,
    parameters: new Map([['version', '01']]),
    mandatoryParameters: new Set(['version']),
    payload,
  }
  return {
    format: 'HG10',
    compression,
    parameters: new Map(),
    *parts() {
      yield part
      if (compression !== 'none') skipRest(payload)
    },
  }
}

function openVersion2(
  input: ByteInput,
  options: OpenBundleOptions & { readonly onWholeStream: OnWholeStream },
): Bundle {
  const parameters = readStreamParameters(input)
  const letters = parameters.get('Compression') ?? 'UN'
  const compression = COMPRESSIONS.get(letters)
  if (compression === undefined) {
    throw new RevlogError(
      'unknown-part',
      `${input.name}: unknown compression ${printable(letters)}`,
    )
  }
  for (const name of parameters.keys()) {
    if (name !== 'Compression' && /^[A-Z]/.test(name)) {
      throw new RevlogError(
        'unknown-part',
        `${input.name}: missing support for Stream Parameter - ${printable(name)}`,
      )
    }
  }
  const body = decompressedInput(input, compression, options.onWholeStream)
  return {
    format: 'HG20',
    compression,
    parameters,
    *parts() {
      yield* readParts(body, options.onInterrupt)
      // The checksum of a compressed stream is behind its last byte.
      if (compression !== 'none') skipRest(body)
    },
  }
}

function readStreamParameters(input: ByteInput): ReadonlyMap<string, string> {
  const head = input.read(4)
  const length = new DataView(head.buffer, head.byteOffset, 4).getInt32(0)
  if (length < 0 || length > MAX_PARAMETERS_BYTES) {
    throw new RevlogError(
      'corrupt',
      `${input.name}: negative or senseless size of the stream parameters: ${length} at byte 4`,
    )
  }
  const parameters = new Map<string, string>()
  if (length === 0) return parameters
  for (const item of byteString(input.read(length)).split(' ')) {
    const [name = '', value = ''] = item.split('=', 2).map(unquote)
    if (!/^[A-Za-z]/.test(name)) {
      throw new RevlogError(
        'corrupt',
        `${input.name}: a stream parameter is called ${printable(name)}; names start with a letter`,
      )
    }
    parameters.set(name, value)
  }
  return parameters
}

/** %XX as the byte it stands for; a percent sign without two digits stays. */
function unquote(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

function prefixed(prefix: string, rest: ByteInput): ByteInput {
  const first = bytesInput(Buffer.from(prefix, 'latin1'))
  return pulledInput(rest.name, () => {
    const piece = first.readSome(prefix.length)
    return piece.length > 0 ? piece : rest.readSome(65_536)
  })
}

function printable(text: string): string {
  return JSON.stringify(text)
}
