/** A worker process on this host, started by the server and ended with it. */
import { type ChildProcess, fork } from 'node:child_process'

/** What to start, and how it finds the server and its datasets. */
export interface EmbeddedWorker {
  /** Path of the worker's program. */
  readonly program: string
  readonly server: string
  readonly datasets: string
}

/** Starts the program; the channel between the two ends it when this process is gone. */
export const startEmbeddedWorker = ({ program, server, datasets }: EmbeddedWorker): ChildProcess =>
  fork(program, ['--server', server, '--datasets', datasets], {
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
