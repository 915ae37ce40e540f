/** `assay serve` and `assay worker`: start the program of the api or of the worker as a child. */
import { createRequire } from 'node:module'
import { exitCodes } from '@assay/model'
import { Command, InvalidArgumentError, Option } from 'commander'
import { execa } from 'execa'
import { chosenStorePath, datasetsDirectory, type Surroundings } from '../config.ts'
import { dbOption, jsonOption, pinningText } from './options.ts'

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
  // Told to stop while it was still loading, it ends by the signal: nothing was begun.
  process.exitCode = child.exitCode ?? (stop.aborted ? exitCodes.fine : exitCodes.internal)
}

interface ServeOptions {
  readonly host: string
  readonly tokenFile?: string
  readonly port: string
  readonly db?: string
  readonly campaigns: string
  readonly embeddedWorker?: boolean
  readonly redis?: string
  readonly lease?: number
  readonly json?: boolean
}

/** A lease shorter than a second is lost by a hiccup; one beyond an hour keeps blocks for nobody. */
const leaseOf = (text: string): number => {
  const [, count = '', unit] = /^(\d{1,5})(s|m)$/.exec(text) ?? []
  const millis = Number(count) * (unit === 'm' ? 60_000 : 1_000)
  if (millis >= 1_000 && millis <= 3_600_000) return millis
  throw new InvalidArgumentError('write 1s to 60m, such as 60s')
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
    .addOption(
      new Option(
        '--lease <duration>',
        'a block whose worker is silent for so long is given to another; default: 60s',
      ).argParser(leaseOf),
    )
    .option('--redis <url>', 'keep the queue in this Redis, with BullMQ, instead of in the store')
    .addOption(jsonOption('print the address and the first token as lines of JSON'))
    .action((options: ServeOptions) => {
      const db = chosenStorePath(options, surroundings)
      const { host, port, campaigns } = options
      const argv = ['--host', host, '--port', port, '--db', db, '--campaigns', campaigns]
      if (options.tokenFile !== undefined) argv.push('--token-file', options.tokenFile)
      if (options.embeddedWorker === true) {
        argv.push('--embedded-worker', programOf('worker'), '--datasets', datasetsDirectory(db))
      }
      if (options.lease !== undefined) argv.push('--lease-millis', String(options.lease))
      if (options.redis !== undefined) argv.push('--redis', options.redis)
      if (options.json === true) argv.push('--json')
      return runProgram(programOf('api'), { argv }, surroundings.stop)
    })

interface WorkerOptions {
  readonly server: string
  readonly token?: string
  readonly tokenFile?: string
  readonly pool: string
  readonly datasets?: string
  readonly hostLock?: string
  readonly name?: string
  readonly pin?: string
  readonly json?: boolean
}

export const workerCommand = (surroundings: Surroundings): Command =>
  new Command('worker')
    .description('execute blocks of a server on this host, one at a time')
    .requiredOption('--server <url>', 'the address that `assay serve` prints')
    .option('--token <token>', 'of scope worker; others see it in `ps`: better set ASSAY_TOKEN')
    .option('--token-file <file>', 'read the token from there')
    .option('--pool <name>', 'which blocks to take', 'default')
    .option('--datasets <folder>', 'where datasets are prepared')
    .option('--pin <children/own>', pinningText)
    .option('--host-lock <file>', 'the lock that keeps measurements on a host apart')
    .option('--name <name>', 'unique among the workers of the server; default: host and process')
    .addOption(jsonOption('print what ends the worker as JSON; its log is JSON anyway'))
    .addHelpText(
      'after',
      `
SIGTERM lets it finish the round in flight, save it and give its block back; a second SIGTERM, or
Ctrl-C, stops it between samples. When the server is away it asks on until it is back. A server of
another version refuses it (2).`,
    )
    .action((options: WorkerOptions) => {
      const datasets = options.datasets ?? datasetsDirectory(chosenStorePath({}, surroundings))
      const argv = ['--server', options.server, '--pool', options.pool, '--datasets', datasets]
      if (options.pin !== undefined) argv.push('--pin', options.pin)
      if (options.name !== undefined) argv.push('--name', options.name)
      if (options.hostLock !== undefined) argv.push('--host-lock', options.hostLock)
      if (options.tokenFile !== undefined) argv.push('--token-file', options.tokenFile)
      if (options.json === true) argv.push('--json')
      // In the environment, so that `ps` shows it no second time.
      const env = options.token === undefined ? {} : { ASSAY_TOKEN: options.token }
      return runProgram(programOf('worker'), { argv, env }, surroundings.stop)
    })
