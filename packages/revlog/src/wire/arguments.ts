/**
 * The texts of the wire protocol: frames, arguments, lists, batches (`hg help internals.wireprotocol`).
 * Pure; who sends them to whom is left to the neighbours.
 */
import type { ByteInput } from '../bytes/byte-input.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, byteString, bytesOf } from '../format/byte-string.ts'

/** Lines of the protocol are numbers, names and greetings; a longer one is something else. */
const MAX_LINE_BYTES = 65_536
/** An argument or answer that is text: a million nodes have 41 MB. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024

/** A line without its end; undefined at the end of the input. Throws `protocol` for an endless one. */
export function readLine(input: ByteInput): ByteString | undefined {
  let line = ''
  for (;;) {
    const byte = input.readSome(1)
    if (byte.length === 0) return line === '' ? undefined : line
    if (byte[0] === 0x0a) return line
    if (line.length >= MAX_LINE_BYTES) {
      throw new RevlogError('protocol', `${input.name}: a line without end`)
    }
    line += byteString(byte)
  }
}

/** A number in a text. Throws `protocol` for what is none. */
export function parseLength(input: ByteInput, text: string | undefined): number {
  if (text !== undefined && /^\d{1,10}$/.test(text) && Number(text) <= MAX_TEXT_BYTES) {
    return Number(text)
  }
  const got = text === undefined ? 'the end' : JSON.stringify(text.slice(0, 80))
  throw new RevlogError('protocol', `${input.name}: ${got} in place of a length`)
}

/** A text behind its length and a line end. Throws `protocol`, `truncated`. */
export function readFrame(input: ByteInput): ByteString {
  return byteString(input.read(parseLength(input, readLine(input))))
}

/** A text with its length. */
export function frame(text: ByteString): ByteString {
  return `${text.length}\n${text}`
}

/** A command with its arguments; a map is a dictionary of arguments. */
export function command(
  name: string,
  args: Readonly<Record<string, ByteString | ReadonlyMap<string, ByteString>>> = {},
): Uint8Array {
  let text = `${name}\n`
  for (const [key, value] of Object.entries(args)) {
    if (typeof value === 'string') {
      text += `${key} ${frame(value)}`
      continue
    }
    text += `${key} ${value.size}\n`
    for (const [name_, entry] of value) text += `${name_} ${frame(entry)}`
  }
  return bytesOf(text)
}

const ESCAPES: readonly (readonly [string, string])[] = [
  [':', ':c'],
  [',', ':o'],
  [';', ':s'],
  ['=', ':e'],
]

/** An argument or answer inside a batch. */
export function escapeInBatch(text: ByteString): ByteString {
  return ESCAPES.reduce((done, [from, to]) => done.replaceAll(from, to), text)
}

/** The other way round. */
export function unescapeInBatch(text: ByteString): ByteString {
  return text.replace(/:([cose])/g, (all) => ESCAPES.find(([, to]) => to === all)?.[0] ?? all)
}

/** Commands as a batch takes them. */
export function batchCommands(
  commands: readonly { readonly name: string; readonly args: ReadonlyMap<string, ByteString> }[],
): ByteString {
  return commands
    .map(({ name, args }) => {
      const parts = [...args].map(([key, value]) => `${escapeInBatch(key)}=${escapeInBatch(value)}`)
      return `${name} ${parts.join(',')}`
    })
    .join(';')
}

/** The commands of a batch. */
export function parseBatch(
  text: ByteString,
): { readonly name: string; readonly args: ReadonlyMap<string, ByteString> }[] {
  return text.split(';').map((one) => {
    const at = one.indexOf(' ')
    const name = at < 0 ? one : one.slice(0, at)
    const args = new Map<string, ByteString>()
    for (const pair of (at < 0 ? '' : one.slice(at + 1)).split(',')) {
      const [key = '', value = ''] = pair.split('=', 2)
      if (key !== '') args.set(unescapeInBatch(key), unescapeInBatch(value))
    }
    return { name, args }
  })
}

/** Nodes in a list. Throws `protocol` for what is none. */
export function parseNodes(text: ByteString): string[] {
  const words = text.trim().split(' ')
  const nodes = words.filter((word) => word !== '')
  const odd = nodes.find((word) => !/^[0-9a-f]{40}$/.test(word))
  if (odd === undefined) return nodes
  throw new RevlogError('protocol', `${JSON.stringify(odd.slice(0, 80))} in place of a node`)
}

/** Keys with their values, a line each. */
export function parseKeyLines(text: ByteString): Map<ByteString, ByteString> {
  const keys = new Map<ByteString, ByteString>()
  for (const line of text.split('\n')) {
    const at = line.indexOf('\t')
    if (at >= 0) keys.set(line.slice(0, at), line.slice(at + 1))
  }
  return keys
}

/** Text with all but plain characters as %XX, for branches and capabilities. */
export function quoteUrl(text: ByteString): ByteString {
  return text.replace(
    /[^A-Za-z0-9_.~/-]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** The other way round. */
export function unquoteUrl(text: ByteString): ByteString {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
