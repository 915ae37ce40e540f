/** `assay serve` and `assay worker`: start the program of the api or of the worker as a child. */
import { createRequire } from 'node:module'
import { exitCodes } from '@assay/model'
import { Command } from 'commander'
import { execa } from 'execa'
import { chosenStorePath, datasetsDirectory, type Surroundings } from '../config.ts'
import { dbOption } from './options.ts'

/** The installed program of another app. */
const programOf = (app: 'api' | 'worker'): string =>
  createRequire(import.meta.url).resolve(`@assay/${app}/main`)

/** Runs a program in the foreground; both end together, whichever is stopped or killed first. */
const runProgram = async (
  program: string,
  { argv, env = {} }: { readonly argv: readonly string[]; readonly env?: NodeJS.ProcessEnv },
  stop: AbortSignal,
): Promise<void> => {
  const child = await execa(process.execPath, ['--enable-source-maps', program, ...argv], {
    env,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    // The program ends when this channel does, so that a kill -9 here leaves nothing behind.
    ipc: true,
    reject: false,
    cancelSignal: stop,
    forceKillAfterDelay: false,
  })
  process.exitCode = child.exitCode ?? exitCodes.internal
}

interface ServeOptions {
  readonly host: string
  readonly tokenFile?: string
  readonly port: string
  readonly db?: string
  readonly campaigns: string
  readonly embeddedWorker?: boolean
  readonly redis?: string
}

export const serveCommand = (surroundings: Surroundings): Command =>
  new Command('serve')
    .description('serve the HTTP API; the first start prints a token that may do everything')
    .option('--host <address>', 'address to listen on; 0.0.0.0 lets others in', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 takes a free one', '7357')
    .option('--token-file <file>', 'write the first token there instead of printing it')
    .addOption(dbOption())
    .option('--campaigns <folder>', 'campaigns that runs can name', 'campaigns')
    .option('--embedded-worker', 'also start a worker on this host')
    .option('--redis <url>', 'keep the queue in this Redis, with BullMQ, instead of in the store')
    .action((options: ServeOptions) => {
      const db = chosenStorePath(options, surroundings)
      const { host, port, campaigns } = options
      const argv = ['--host', host, '--port', port, '--db', db, '--campaigns', campaigns]
      if (options.tokenFile !== undefined) argv.push('--token-file', options.tokenFile)
      if (options.embeddedWorker === true) {
        argv.push('--embedded-worker', programOf('worker'), '--datasets', datasetsDirectory(db))
      }
      if (options.redis !== undefined) argv.push('--redis', options.redis)
      return runProgram(programOf('api'), { argv }, surroundings.stop)
    })

interface WorkerOptions {
  readonly server: string
  readonly token?: string
  readonly tokenFile?: string
  readonly pool: string
  readonly datasets?: string
  readonly hostLock?: string
  readonly pin?: string
}

export const workerCommand = (surroundings: Surroundings): Command =>
  new Command('worker')
    .description('execute blocks of a server on this host, one at a time')
    .requiredOption('--server <url>', 'the address that `assay serve` prints')
    .option('--token <token>', 'of scope worker; others see it in `ps`: better set ASSAY_TOKEN')
    .option('--token-file <file>', 'read the token from there')
    .option('--pool <name>', 'which blocks to take', 'default')
    .option('--datasets <folder>', 'where datasets are prepared')
    .option('--pin <child/driver>', 'processors of measured children and of the worker, e.g. 1/0')
    .option('--host-lock <file>', 'the lock that keeps measurements on a host apart')
    .action((options: WorkerOptions) => {
      const datasets = options.datasets ?? datasetsDirectory(chosenStorePath({}, surroundings))
      const argv = ['--server', options.server, '--pool', options.pool, '--datasets', datasets]
      if (options.pin !== undefined) argv.push('--pin', options.pin)
      if (options.hostLock !== undefined) argv.push('--host-lock', options.hostLock)
      if (options.tokenFile !== undefined) argv.push('--token-file', options.tokenFile)
      // In the environment, so that `ps` shows it no second time.
      const env = options.token === undefined ? {} : { ASSAY_TOKEN: options.token }
      return runProgram(programOf('worker'), { argv, env }, surroundings.stop)
    })
