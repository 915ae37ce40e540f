/**
 * A repository behind ssh as the other side of an exchange: the client of the ssh protocol, version 1
 * (`hg help internals.wireprotocol`). What can be asked without waiting for the answer before is.
 */
import { openBundle } from '../bundle/open-bundle.ts'
import { type OutgoingPart, writeBundle2 } from '../bundle/write-bundle.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, byteString, bytesOf } from '../format/byte-string.ts'
import { OWN_CAPABILITIES } from '../peer/capabilities.ts'
import type { BundleRequest, Peer } from '../peer/peer.ts'
import {
  batchCommands,
  command,
  parseKeyLines,
  parseNodes,
  quoteUrl,
  readFrame,
  readLine,
  unescapeInBatch,
  unquoteUrl,
} from './arguments.ts'
import { type PipedChild, startPipedChild } from './piped-child.ts'
import { parseSshUrl, sshCommandLine } from './ssh-address.ts'

/** How to reach a repository. */
export interface SshPeerOptions {
  readonly sshCommand: string
  readonly remoteCommand: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Given what the remote program says, by lines, and whether that is why there is no answer. */
  readonly onRemoteText: (line: ByteString, isFailure: boolean) => void
  /** A remote that says nothing for longer is given up; ten minutes if not given. */
  readonly silenceMillis?: number
}

const DEFAULT_SILENCE_MILLIS = 600_000

/** A greeting of a server that is none is looked for in so many lines. */
const MAX_BANNER_LINES = 500

const NULL_PAIR = `${'0'.repeat(40)}-${'0'.repeat(40)}`

/** Bytes of a bundle in one frame. */
const FRAME_BYTES = 65_536

/** Reaches a repository. Throws `protocol`, `unsupported`, `usage`, `native-missing`, `system`. */
export function openSshPeer(url: string, options: SshPeerOptions): Peer {
  const lines = remoteLines(options.onRemoteText)
  const child = startPipedChild({
    name: url,
    command: sshCommandLine(parseSshUrl(url), options),
    env: options.env,
    onErrorBytes: lines.add,
    silenceMillis: options.silenceMillis ?? DEFAULT_SILENCE_MILLIS,
  })
  try {
    const capabilities = shakeHands(child, options)
    lines.release(false)
    return new SshPeer(url, child, { capabilities, finish: () => lines.release(false) })
  } catch (error) {
    child.close()
    lines.release(true)
    throw error
  }
}

/** Lines of the remote's standard error, kept back until it is known what they mean. */
function remoteLines(onRemoteText: SshPeerOptions['onRemoteText']) {
  let pending = ''
  let isHeld = true
  const flush = (isFailure: boolean): void => {
    const lines = pending.split('\n')
    pending = lines.pop() ?? ''
    for (const line of lines) onRemoteText(line, isFailure)
  }
  return {
    add(bytes: Uint8Array): void {
      pending += byteString(bytes)
      if (!isHeld) flush(false)
    },
    release(isFailure: boolean): void {
      isHeld = false
      flush(isFailure)
    },
  }
}

/** Gives the server's capabilities. */
function shakeHands(
  child: PipedChild,
  { onRemoteText }: SshPeerOptions,
): ReadonlyMap<string, string> {
  sayHello(child)
  let greeting: string | undefined
  let last = ''
  for (let lines = 0; lines < MAX_BANNER_LINES; lines++) {
    const line = readLine(child.output)
    if (line === undefined) break
    // The empty answer to `between` ends the greeting.
    if (last === '1' && line === '') {
      if (greeting === undefined) break
      return parseCapabilities(greeting)
    }
    if (line.startsWith('capabilities: ')) greeting = line
    else if (!/^\d*$/.test(line)) onRemoteText(line, false)
    last = line
  }
  throw new RevlogError('protocol', 'no suitable response from remote hg')
}

function sayHello(child: PipedChild): void {
  try {
    child.write(
      bytesOf(byteString(command('hello')) + byteString(command('between', { pairs: NULL_PAIR }))),
    )
  } catch {
    // Who is gone already has said why on its standard error: reading finds that out.
  }
}

function parseCapabilities(greeting: string): ReadonlyMap<string, string> {
  const words = greeting.slice('capabilities: '.length).split(' ')
  const capabilities = new Map(
    words.map((word) => {
      const at = word.indexOf('=')
      return at < 0 ? ([word, ''] as const) : ([word.slice(0, at), word.slice(at + 1)] as const)
    }),
  )
  const missing = ['batch', 'branchmap', 'bundle2', 'getbundle', 'known'].filter(
    (name) => !capabilities.has(name),
  )
  if (missing.length === 0) return capabilities
  throw new RevlogError('unsupported', `the remote is too old: it lacks ${missing.join(', ')}`)
}

interface Connection {
  readonly capabilities: ReadonlyMap<string, string>
  readonly finish: () => void
}

class SshPeer implements Peer {
  readonly place: string
  readonly #child: PipedChild
  readonly #connection: Connection
  /** Answers that nobody has read yet and nobody needs. */
  #unread = 0
  #closed = false

  constructor(place: string, child: PipedChild, connection: Connection) {
    this.place = place
    this.#child = child
    this.#connection = connection
    if (!connection.capabilities.has('protocaps')) return
    this.#child.write(command('protocaps', { caps: 'comp=none partial-pull' }))
    this.#unread += 1
  }

  headsAndKnown(nodes: readonly string[]) {
    const batch = batchCommands([
      { name: 'heads', args: new Map() },
      { name: 'known', args: new Map([['nodes', nodes.join(' ')]]) },
    ])
    // The commands as they are: a dictionary comes before the argument that is none.
    const answer = this.#ask(command('batch', { '*': new Map(), cmds: batch }))
    const [heads = '', known = ''] = answer.split(';').map(unescapeInBatch)
    return { heads: parseNodes(heads), known: parseKnown(known, nodes.length) }
  }

  known(nodes: readonly string[]): readonly boolean[] {
    const answer = this.#ask(command('known', { nodes: nodes.join(' '), '*': new Map() }))
    return parseKnown(answer, nodes.length)
  }

  listKeys(namespace: string): ReadonlyMap<ByteString, ByteString> {
    return parseKeyLines(this.#ask(command('listkeys', { namespace })))
  }

  lookup(name: ByteString): string {
    const [, ok, text = ''] =
      /^([01]) (.*?)\n?$/s.exec(this.#ask(command('lookup', { key: name }))) ?? []
    if (ok === '1' && /^[0-9a-f]{40}$/.test(text)) return text
    throw new RevlogError('unknown-revision', text === '' ? `unknown revision '${name}'` : text)
  }

  branchMap(): ReadonlyMap<ByteString, readonly string[]> {
    const heads = new Map<ByteString, readonly string[]>()
    for (const line of this.#ask(command('branchmap')).split('\n')) {
      const at = line.indexOf(' ')
      if (at > 0) heads.set(unquoteUrl(line.slice(0, at)), parseNodes(line.slice(at)))
    }
    return heads
  }

  getBundle(request: BundleRequest) {
    const args = new Map<string, ByteString>([
      ['bundlecaps', `HG20,bundle2=${quoteUrl(OWN_CAPABILITIES)}`],
      ['common', request.common.length === 0 ? '0'.repeat(40) : request.common.join(' ')],
      ['heads', request.heads.join(' ')],
      ['cg', request.changegroup ? '1' : '0'],
      ['phases', request.phases ? '1' : '0'],
      ['bookmarks', request.bookmarks ? '1' : '0'],
      ['listkeys', request.listKeys.join(',')],
    ])
    if (request.heads.length === 0) args.delete('heads')
    this.#send(command('getbundle', { '*': args }))
    return openBundle(this.#child.output).parts()
  }

  unbundle(parts: Iterable<OutgoingPart>) {
    const refusal = this.#ask(command('unbundle', { heads: Buffer.from('force').toString('hex') }))
    if (refusal !== '') throw new RevlogError('remote-refused', `push refused: ${refusal}`)
    this.#sendFrames(writeBundle2(parts, 'none'))
    return openBundle(this.#child.output).parts()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#child.close()
    this.#connection.finish()
  }

  #sendFrames(pieces: Iterable<Uint8Array>): void {
    let waiting: Uint8Array[] = []
    let bytes = 0
    const send = (): void => {
      if (bytes === 0) return
      this.#child.write(Buffer.concat([bytesOf(`${bytes}\n`), ...waiting]))
      waiting = []
      bytes = 0
    }
    for (const piece of pieces) {
      waiting.push(piece)
      bytes += piece.length
      if (bytes >= FRAME_BYTES) send()
    }
    send()
    this.#child.write(bytesOf('0\n'))
  }

  #ask(bytes: Uint8Array): ByteString {
    this.#send(bytes)
    return readFrame(this.#child.output)
  }

  /** Reads answers that are due before, so that the next one is that of this command. */
  #send(bytes: Uint8Array): void {
    this.#child.write(bytes)
    for (; this.#unread > 0; this.#unread--) readFrame(this.#child.output)
  }
}

function parseKnown(text: string, count: number): boolean[] {
  if (text.length !== count || !/^[01]*$/.test(text)) {
    throw new RevlogError('protocol', `known: ${JSON.stringify(text.slice(0, 80))} is no answer`)
  }
  return [...text].map((digit) => digit === '1')
}
