/**
 * An ssh:// URL, and the line for the shell that reaches the program behind it (`hg help urls`).
 */
import { RevlogError } from '../errors.ts'

/** Where a repository is. */
export interface SshAddress {
  /** `user@host` or `host`. */
  readonly host: string
  readonly port?: string
  /** Relative to the user's home unless it starts with a slash. */
  readonly path: string
}

/** Takes a URL apart: `ssh://[user@]host[:port]/path`. Throws `usage`. */
export function parseSshUrl(url: string): SshAddress {
  const [, user, host, port, path] =
    /^ssh:\/\/(?:([^@/]+)@)?([^/:@]+)(?::(\d+))?(?:\/(.*))?$/.exec(url) ?? []
  if (host === undefined) throw new RevlogError('usage', `couldn't parse location ${url}`)
  const [name, place] = [user, path].map((part) =>
    part === undefined ? undefined : decodeURIComponent(part),
  )
  // An option in place of a host would be one for ssh.
  if (`${name ?? ''}${host}`.startsWith('-')) {
    throw new RevlogError('usage', `potentially unsafe url: '${url}'`)
  }
  if (name?.includes(':')) throw new RevlogError('usage', 'password in URL not supported')
  return {
    host: name === undefined ? host : `${name}@${host}`,
    path: place === undefined || place === '' ? '.' : place,
    ...(port === undefined ? {} : { port }),
  }
}

/** The line for the shell. */
export function sshCommandLine(
  { host, port, path }: SshAddress,
  commands: { readonly sshCommand: string; readonly remoteCommand: string },
): string {
  const remote = `${quoteForShell(commands.remoteCommand)} -R ${quoteForShell(path)} serve --stdio`
  const options = port === undefined ? '' : `-p ${port} `
  return `${commands.sshCommand} ${options}${quoteAlways(host)} ${quoteAlways(remote)}`
}

/** As one word; what needs no quotes stays as it is, so that a command with options can be given. */
function quoteForShell(text: string): string {
  return /^[\w@%+=:,./ -]+$/.test(text) && !/ /.test(text) ? text : quoteAlways(text)
}

function quoteAlways(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
