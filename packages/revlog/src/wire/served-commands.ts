/**
 * The commands of the wire protocol whose answer is a text, as an explicit list. Those with streams
 * are in served-streams.ts.
 */
import { RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import { OWN_CAPABILITIES, SERVER_CAPABILITIES } from '../peer/capabilities.ts'
import type { RepositoryService } from '../peer/repository-service.ts'
import { keyLines } from '../peer/serve-bundle.ts'
import { parseNodes, quoteUrl } from './arguments.ts'
import { pushKey } from './push-key.ts'

/** A command. */
export interface ServedCommand {
  /** Names of its arguments; `*` for a dictionary. */
  readonly parameters: readonly string[]
  /** Gives the answer. Throws what becomes a message to the client. */
  readonly run: (service: RepositoryService, args: ReadonlyMap<string, ByteString>) => ByteString
}

/** All commands that answer with a text. */
export const SERVED_COMMANDS: ReadonlyMap<string, ServedCommand> = new Map([
  ['hello', { parameters: [], run: () => `capabilities: ${capabilities()}\n` }],
  ['capabilities', { parameters: [], run: capabilities }],
  // Kept by the protocol for its greeting: of the empty range there is nothing between.
  ['between', { parameters: ['pairs'], run: () => '\n' }],
  ['protocaps', { parameters: ['caps'], run: () => 'OK' }],
  ['heads', { parameters: [], run: (service) => `${service.heads().join(' ')}\n` }],
  ['known', { parameters: ['nodes', '*'], run: known }],
  ['lookup', { parameters: ['key'], run: lookup }],
  ['branchmap', { parameters: [], run: branchMap }],
  [
    'listkeys',
    {
      parameters: ['namespace'],
      run: (service, args) => keyLines(service.listKeys(args.get('namespace') ?? '')),
    },
  ],
  ['pushkey', { parameters: ['namespace', 'key', 'old', 'new'], run: pushKey }],
])

function capabilities(): ByteString {
  return [...SERVER_CAPABILITIES, `bundle2=${quoteUrl(OWN_CAPABILITIES)}`].sort().join(' ')
}

function known(service: RepositoryService, args: ReadonlyMap<string, ByteString>): ByteString {
  const nodes = parseNodes(args.get('nodes') ?? '')
  return service
    .known(nodes)
    .map((is) => (is ? '1' : '0'))
    .join('')
}

function lookup(service: RepositoryService, args: ReadonlyMap<string, ByteString>): ByteString {
  try {
    return `1 ${service.lookup(args.get('key') ?? '')}\n`
  } catch (error) {
    if (!(error instanceof RevlogError)) throw error
    return `0 ${error.message}\n`
  }
}

function branchMap(service: RepositoryService): ByteString {
  const lines = [...service.branchMap()].map(
    ([branch, heads]) => `${quoteUrl(branch)} ${heads.join(' ')}`,
  )
  return lines.join('\n')
}
