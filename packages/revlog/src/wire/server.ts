/**
 * The server of the ssh protocol, version 1 (`hg help internals.wireprotocol`): commands from one
 * stream, answers to another, until the input ends. What is asked of the repository is its service's
 * work.
 */
import type { ByteInput } from '../bytes/byte-input.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, bytesOf } from '../format/byte-string.ts'
import type { RepositoryService } from '../peer/repository-service.ts'
import { escapeInBatch, frame, parseBatch, parseLength, readLine } from './arguments.ts'
import { SERVED_COMMANDS, type ServedCommand } from './served-commands.ts'
import { serveBundle, serveUnbundle } from './served-streams.ts'

/** The two ends and what is served. */
export interface ServerConnection {
  readonly service: RepositoryService
  readonly input: ByteInput
  readonly write: (bytes: Uint8Array) => void
  /** Given what goes to standard error, with line ends. */
  readonly writeError: (text: string) => void
}

/** Arguments of a command by name; those of a dictionary among them. */
export type WireArguments = ReadonlyMap<string, ByteString>

/** Serves until the input ends, or an empty line. Throws `protocol`, `truncated`. */
export function serveConnection(connection: ServerConnection): void {
  for (let name = readLine(connection.input); name; name = readLine(connection.input)) {
    serveCommand(connection, name)
  }
}

function serveCommand(connection: ServerConnection, name: string): void {
  const { input } = connection
  if (name === 'getbundle') serveBundle(connection, readArguments(input, ['*']))
  else if (name === 'unbundle') serveUnbundle(connection, readArguments(input, ['heads']))
  else serveText(connection, name)
}

function serveText({ service, input, write, writeError }: ServerConnection, name: string): void {
  const served = name === 'batch' ? BATCH : SERVED_COMMANDS.get(name)
  const args = readArguments(input, served?.parameters ?? [])
  try {
    // An empty answer is what a command gets that is not known.
    write(bytesOf(frame(served?.run(service, args) ?? '')))
  } catch (error) {
    if (!(error instanceof RevlogError)) throw error
    writeError(`abort: ${error.message}\n-\n`)
    write(bytesOf('\n'))
  }
}

const BATCH: ServedCommand = {
  parameters: ['*', 'cmds'],
  run: (service, args) =>
    parseBatch(args.get('cmds') ?? '')
      .map(({ name, args: own }) => {
        const served = SERVED_COMMANDS.get(name)
        if (served === undefined) throw new RevlogError('protocol', `batch: no command ${name}`)
        return escapeInBatch(served.run(service, own))
      })
      .join(';'),
}

/** As many arguments as the command has, in any order; `*` is a dictionary of them. */
function readArguments(input: ByteInput, parameters: readonly string[]): WireArguments {
  const args = new Map<string, ByteString>()
  for (const _parameter of parameters) {
    const [name, length] = (readLine(input) ?? '').split(' ', 2)
    if (name === undefined || !parameters.includes(name)) {
      throw new RevlogError('protocol', `${input.name}: unknown argument ${JSON.stringify(name)}`)
    }
    const count = parseLength(input, length)
    if (name === '*') readDictionary(input, count, args)
    else args.set(name, Buffer.from(input.read(count)).toString('latin1'))
  }
  return args
}

function readDictionary(input: ByteInput, count: number, args: Map<string, ByteString>): void {
  for (let i = 0; i < count; i++) {
    const [key = '', size] = (readLine(input) ?? '').split(' ', 2)
    args.set(key, Buffer.from(input.read(parseLength(input, size))).toString('latin1'))
  }
}
