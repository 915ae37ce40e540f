/**
 * Runs hg and git while a dataset is prepared: under guard, so that none outlives this process;
 * with literal arguments, an environment of our own and no configuration of a user's.
 */
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { childEnvironment, startGuarded } from '@assay/measure'
import { programFailed, programMissing } from '../errors.ts'
import type { SourceSite } from './source-kind.ts'

/** What is taken over from outside: how the network is reached, and by which key. */
const handedOn: readonly string[] = [
  'SSH_AUTH_SOCK',
  ...['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR'],
]

/** Nobody is there to answer a question about a password or a host key. */
const ssh = 'ssh -oBatchMode=yes'

/** Git's own ways that start no program of a stranger's choice. */
const gitProtocols = 'file:git:http:https:ssh'

const environmentOf = (home: string): Readonly<Record<string, string>> => {
  const additions = handedOn.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return childEnvironment({
    path: process.env['PATH'] ?? '',
    home,
    paddingBytes: 0,
    additions: {
      ...Object.fromEntries(additions),
      // `hg help environment`: options are read where they stand, never out of another's value.
      HGPLAIN: '+strictflags',
      // A source's own configuration may name programs; whoever may read it need not trust it.
      HGRCSKIPREPO: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: gitProtocols,
      GIT_SSH_COMMAND: ssh,
    },
  })
}

type Argv = readonly [string, ...string[]]

/** Runs a program to its good end; rejects with `program-missing`, `program-failed` or the signal's reason. */
const run = async (argv: Argv, { scratch, signal }: Omit<SourceSite, 'directory'>) => {
  signal?.throwIfAborted()
  const home = join(scratch, 'home')
  mkdirSync(home, { recursive: true })
  const stderrPath = join(scratch, 'stderr')
  const stderr = openSync(stderrPath, 'w')
  const environment = environmentOf(home)
  const program = startGuarded({ argv, workingDirectory: scratch, environment, stderr })
  const kill = (): void => void program.kill()
  signal?.addEventListener('abort', kill)
  try {
    const end = await program.ended
    await program.kill()
    signal?.throwIfAborted()
    if (end.type === 'failed') throw programMissing(argv[0], end.reason)
    const how = end.type === 'signaled' ? `was ended by ${end.signal}` : `exited with ${end.code}`
    if (end.type === 'exited' && end.code === 0) return
    throw programFailed(argv[0], how, readFileSync(stderrPath, 'utf8'))
  } finally {
    signal?.removeEventListener('abort', kill)
    closeSync(stderr)
  }
}

/** Runs hg with settings (`section.name=value`). */
export const runHg = (
  argv: readonly string[],
  site: Omit<SourceSite, 'directory'> & { readonly settings?: readonly string[] },
): Promise<void> => {
  const settings = [`ui.ssh=${ssh}`, ...(site.settings ?? [])]
  const configured = settings.flatMap((setting) => ['--config', setting])
  return run(['hg', '--noninteractive', ...configured, ...argv], site)
}

/** Runs git. */
export const runGit = (argv: readonly string[], site: Omit<SourceSite, 'directory'>) =>
  run(['git', ...argv], site)
