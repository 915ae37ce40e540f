/**
 * `assay token`: makes, lists and revokes tokens, in the store itself or, where a server holds that,
 * over HTTP. Whoever may write the store's file needs no token.
 */
import { randomBytes, randomInt } from 'node:crypto'
import {
  type CreatedToken,
  type CreateTokenRequest,
  createdTokenSchema,
  createTokenRequestSchema,
  lifetimeSchema,
  listTokensResponseSchema,
  type Scope,
  scopes,
  type Token,
  tokenSchema,
} from '@assay/model'
import { askServer, makeToken } from '@assay/orchestrator'
import { openStore, type Store } from '@assay/store'
import { Command, InvalidArgumentError, Option } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { localActor } from '../local-user.ts'
import { readStore } from '../read-store.ts'
import { tableText } from '../table-text.ts'
import { momentText } from '../time-text.ts'
import { dbOption, jsonOption } from './options.ts'
import { type ServerOptions, serverOf, serverOptions } from './server-options.ts'

interface PlaceOptions extends ServerOptions {
  readonly db?: string
}

interface Change<Changed extends Token> {
  readonly action: string
  readonly make: (store: Store) => Changed
}

/** Changes the store as its one writer, and says so in its audit log. Errors: `store-busy`. */
const changeStore = <Changed extends Token>(
  options: PlaceOptions,
  surroundings: Surroundings,
  { action, make }: Change<Changed>,
): Changed => {
  const path = chosenStorePath(options, surroundings)
  const store = openStore({ path, access: 'write', now: surroundings.now })
  try {
    const changed = make(store)
    store.audit.record({
      who: localActor(),
      ...{
        action,
        object: { token: changed.id, name: changed.name },
        status: null,
        requestId: null,
      },
    })
    return changed
  } finally {
    store.close()
  }
}

const newId = (): string => randomBytes(5).toString('hex')

const createToken = async (
  request: CreateTokenRequest,
  options: PlaceOptions,
  surroundings: Surroundings,
): Promise<CreatedToken> => {
  const server = serverOf(options, surroundings)
  if (server !== null) {
    return askServer(server, { path: '/tokens', body: request }, createdTokenSchema)
  }
  const { now } = surroundings
  const make = (store: Store): CreatedToken =>
    makeToken(request, { store, newId, now, randomBelow: randomInt })
  return changeStore(options, surroundings, { action: 'assay token create', make })
}

const listTokens = async (
  options: PlaceOptions,
  surroundings: Surroundings,
): Promise<readonly Token[]> => {
  const server = serverOf(options, surroundings)
  if (server === null) {
    const path = chosenStorePath(options, surroundings)
    return readStore(path, surroundings, (store) => store.tokens.list())
  }
  return (await askServer(server, { path: '/tokens' }, listTokensResponseSchema)).tokens
}

const revokeToken = (
  id: string,
  options: PlaceOptions,
  surroundings: Surroundings,
): Token | Promise<Token> => {
  const server = serverOf(options, surroundings)
  if (server !== null) {
    const path = `/tokens/${encodeURIComponent(id)}/revoke`
    return askServer(server, { path, body: {} }, tokenSchema)
  }
  const make = (store: Store): Token => store.tokens.revoke(id)
  return changeStore(options, surroundings, { action: 'assay token revoke', make })
}

const headings = ['token', 'name', 'scopes', 'made (UTC)', 'last used', 'state']

const stateText = ({ expiresAt, revokedAt }: Token, now: number): string => {
  if (revokedAt !== null) return `revoked ${momentText(revokedAt)}`
  if (expiresAt === null) return 'holds'
  return `${expiresAt <= now ? 'expired' : 'holds until'} ${momentText(expiresAt)}`
}

const columnsOf = (token: Token, now: number): string[] => [
  token.id,
  token.name,
  token.scopes.join(','),
  momentText(token.createdAt),
  token.lastUsedAt === null ? 'never' : momentText(token.lastUsedAt),
  stateText(token, now),
]

const collectScope = (text: string, previous: readonly Scope[] = []): Scope[] => {
  const scope = scopes.find((one) => one === text)
  if (scope === undefined) throw new InvalidArgumentError(`it is one of ${scopes.join(', ')}`)
  return [...previous, scope]
}

const nameOf = (text: string): string => {
  const name = createTokenRequestSchema.shape.name.safeParse(text)
  if (!name.success) throw new InvalidArgumentError('write 1 to 100 characters')
  return name.data
}

const lifetimeOf = (text: string): string => {
  if (!lifetimeSchema.safeParse(text).success) {
    throw new InvalidArgumentError('write 90m, 12h or 30d')
  }
  return text
}

const placeOptions = (): Option[] => [
  dbOption(),
  ...serverOptions('admin', 'ask this server, which holds the store'),
]

const withPlace = (command: Command): Command => {
  for (const option of placeOptions()) command.addOption(option)
  return command
}

const createCommand = (surroundings: Surroundings): Command =>
  withPlace(new Command('create').description('make a token; it is shown this once'))
    .requiredOption('--name <name>', 'who or what will use it', nameOf)
    .addOption(
      new Option('--scope <scope>', `what it allows, may be repeated: ${scopes.join(', ')}`)
        .argParser(collectScope)
        .makeOptionMandatory(),
    )
    .option(
      '--expires <time>',
      'how long it holds, e.g. 30d; default: until it is revoked',
      lifetimeOf,
    )
    .addOption(jsonOption())
    .action(
      async (
        options: PlaceOptions & { name: string; scope: Scope[]; expires?: string; json?: boolean },
      ) => {
        const { name, scope, expires, json } = options
        const request = { name, scopes: scope, ...(expires === undefined ? {} : { expires }) }
        const made = await createToken(request, options, surroundings)
        surroundings.out(json === true ? `${JSON.stringify(made, null, 2)}\n` : `${made.token}\n`)
        surroundings.err(`token ${made.id} (${made.scopes.join(', ')}); it is shown only now\n`)
      },
    )

const listCommand = (surroundings: Surroundings): Command =>
  withPlace(new Command('list').description('every token that was ever made, without its text'))
    .addOption(jsonOption())
    .action(async (options: PlaceOptions & { json?: boolean }) => {
      const tokens = await listTokens(options, surroundings)
      const rows = tokens.map((token) => columnsOf(token, surroundings.now()))
      if (options.json === true) surroundings.out(`${JSON.stringify(tokens, null, 2)}\n`)
      else surroundings.out(tableText(headings, rows))
    })

const revokeCommand = (surroundings: Surroundings): Command =>
  withPlace(new Command('revoke').description('a token is worth nothing from now on'))
    .argument('<id>', 'as `assay token list` shows it')
    .addOption(jsonOption())
    .action(async (id: string, options: PlaceOptions & { json?: boolean }) => {
      const revoked = await revokeToken(id, options, surroundings)
      if (options.json === true) surroundings.out(`${JSON.stringify(revoked, null, 2)}\n`)
      surroundings.err(`token ${id} is revoked\n`)
    })

export const tokenCommand = (surroundings: Surroundings): Command => {
  const command = new Command('token').description('who may ask a server for what')
  for (const inner of [createCommand, listCommand, revokeCommand]) {
    command.addCommand(inner(surroundings))
  }
  return command
}
