/** The options of commands that can ask a server instead of a store of this machine. */
import type { Scope } from '@assay/model'
import type { AskedServer } from '@assay/orchestrator'
import { InvalidArgumentError, Option } from 'commander'
import type { Surroundings } from '../config.ts'

/** What the options were parsed to. */
export interface ServerOptions {
  readonly server?: string
  readonly token?: string
}

const addressOf = (text: string): string => {
  if (!/^https?:/.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('write http://HOST:PORT')
  }
  return text
}

/** `--server URL` and `--token TOKEN`, which must be of that scope. */
export const serverOptions = (scope: Scope, what: string): Option[] => [
  new Option('--server <url>', what).argParser(addressOf),
  new Option('--token <token>', `of scope ${scope}, for the server; default: ASSAY_TOKEN`),
]

/** The server that is named, with the token of the command line or of the environment. */
export const serverOf = (
  { server, token }: ServerOptions,
  surroundings: Surroundings,
): AskedServer | null => {
  if (server === undefined) return null
  const shown = token ?? surroundings.token
  return { url: server, ...(shown === undefined ? {} : { token: shown }) }
}
