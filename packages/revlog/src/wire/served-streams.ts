/**
 * The two commands of the wire protocol with streams: getbundle, whose answer ends by itself, and
 * unbundle, whose bundle comes in frames.
 */
import { createHash } from 'node:crypto'
import { openBundle } from '../bundle/open-bundle.ts'
import { type OutgoingPart, writeBundle2 } from '../bundle/write-bundle.ts'
import { type ByteInput, pulledInput } from '../bytes/byte-input.ts'
import { writeChangegroup } from '../changegroup/write-changegroup.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, bytesOf, utf8ByteString } from '../format/byte-string.ts'
import type { BundleRequest } from '../peer/peer.ts'
import { raced } from '../peer/receive-push.ts'
import { servedChangesets } from '../peer/serve-bundle.ts'
import { servedView } from '../peer/served-view.ts'
import type { Repository } from '../repository/open.ts'
import { frame, parseLength, parseNodes, readLine } from './arguments.ts'
import type { ServerConnection, WireArguments } from './server.ts'

/** Answers with a bundle, or with a bare changegroup for a client that knows no bundles. */
export function serveBundle({ service, write }: ServerConnection, args: WireArguments): void {
  const request: BundleRequest = {
    common: parseNodes(args.get('common') ?? ''),
    heads: parseNodes(args.get('heads') ?? ''),
    changegroup: args.get('cg') !== '0',
    phases: args.get('phases') === '1',
    bookmarks: args.get('bookmarks') === '1',
    listKeys: (args.get('listkeys') ?? '').split(',').filter((name) => name !== ''),
  }
  const { repository, served } = service
  if ((args.get('bundlecaps') ?? '').split(',').includes('HG20')) {
    writePieces(write, writeBundle2(service.bundle(request), 'none'))
    return
  }
  const outgoing = servedChangesets({ repository, served, request })
  writePieces(write, writeChangegroup({ repository, outgoing }, '01'))
}

/** Small pieces are put together up to this size. */
const WRITE_BYTES = 65_536

function writePieces(write: (bytes: Uint8Array) => void, pieces: Iterable<Uint8Array>): void {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for (const piece of pieces) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < WRITE_BYTES) continue
    write(Buffer.concat(waiting))
    waiting = []
    bytes = 0
  }
  if (bytes > 0) write(Buffer.concat(waiting))
}

/** Takes a bundle and answers as its kind wants it; what went wrong is part of the answer. */
export function serveUnbundle(connection: ServerConnection, args: WireArguments): void {
  const { service, input, write, writeError } = connection
  const heads = headsCheck(args.get('heads') ?? '')
  // Told before anything is sent; under the lock it is looked at again.
  if (!heads(service.repository)) {
    write(bytesOf(frame(CHANGED)))
    return
  }
  write(bytesOf(frame('')))
  const frames = framedInput(input)
  let answersInParts = true
  try {
    const bundle = openBundle(frames)
    answersInParts = bundle.format === 'HG20'
    const replies = service.receive(bundle, ({ repository }) => {
      if (!heads(repository)) throw raced()
    })
    drain(frames)
    if (answersInParts) {
      writePieces(write, writeBundle2(replies, 'none'))
      return
    }
    const result = replies[0]?.advisoryParameters?.get('return') ?? '1'
    write(bytesOf(frame('') + frame(result)))
  } catch (error) {
    if (!(error instanceof RevlogError)) throw error
    drain(frames)
    if (answersInParts) {
      writePieces(write, writeBundle2([errorPart(error)], 'none'))
      return
    }
    writeError(`abort: ${error.message}\n`)
    write(bytesOf(frame('') + frame('0')))
  }
}

/** Reads what a client still sends, which only then listens. */
function drain(frames: ByteInput): void {
  while (frames.readSome(WRITE_BYTES).length > 0);
}

/** A parameter's value has at most this many bytes (`hg help internals.bundle2`). */
const MAX_PARAMETER_BYTES = 255

function errorPart(error: RevlogError): OutgoingPart {
  const message = utf8ByteString(error.message).slice(0, MAX_PARAMETER_BYTES)
  return {
    name: error.code === 'remote-refused' ? 'error:pushraced' : 'error:abort',
    mandatoryParameters: new Map([['message', message]]),
    payload: [],
  }
}

/** The bytes in frames, up to the empty one. */
function framedInput(input: ByteInput): ByteInput {
  let left = 0
  let ended = false
  return pulledInput(input.name, () => {
    if (ended) return new Uint8Array(0)
    if (left === 0) left = parseLength(input, readLine(input))
    if (left === 0) {
      ended = true
      return new Uint8Array(0)
    }
    const piece = input.readSome(left)
    if (piece.length === 0) {
      throw new RevlogError('truncated', `${input.name}: ends ${left} bytes before a frame does`)
    }
    left -= piece.length
    return piece
  })
}

/** Mercurial's words. */
const CHANGED = 'repository changed while preparing changes - please try again'

const FORCE = Buffer.from('force').toString('hex')
const HASHED = Buffer.from('hashed').toString('hex')

/**
 * The heads that the client saw: all of them, or the SHA-1 of the sorted ones; `force` for a bundle
 * that has its own checks.
 */
function headsCheck(text: ByteString): (repository: Repository) => boolean {
  const words = text.trim().split(' ')
  if (words[0] === FORCE) return () => true
  return (repository) => {
    const { changelog } = repository
    const now = servedView(repository)
      .heads()
      .map((rev) => changelog.nodeHex(rev))
      .sort()
    const hash = createHash('sha1')
      .update(Buffer.from(now.join(''), 'hex'))
      .digest('hex')
    return words[0] === HASHED ? words[1] === hash : [...words].sort().join() === now.join()
  }
}
