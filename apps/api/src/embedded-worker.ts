/**
 * A worker process on this host, started by the server and ended with it. When it ends by itself, by
 * a crash or a kill, it is started again: at once at first, then ever more slowly.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { AssayError } from '@assay/model'
import { reconcile } from '@assay/orchestrator'
import type { ApiSite } from './site.ts'

/** What to start, how it finds the server and its datasets, and whom to tell of its end. */
export interface EmbeddedWorker {
  /** Path of the worker's program. */
  readonly program: string
  readonly server: string
  /** Of scope `worker`; handed over in the environment, which `ps` shows to nobody else. */
  readonly token: string
  readonly datasets: string
  /** The name under which it takes blocks. */
  readonly name: string
  /** It ended by itself: exit code or signal. */
  readonly onEnd: (how: string) => void
}

/** A worker that is kept running. */
export interface KeptWorker {
  /** Asks it to stop, kills it if it does not, and waits for its end. */
  close(): Promise<void>
}

/** How long after its end it is started again: doubled each time, up to the most. */
const firstPauseMillis = 250
const mostPauseMillis = 30_000

/** A worker that lived as long was in order: the pauses begin anew. */
const inOrderMillis = 60_000

/** How long a worker may take to end its child and give its block back. */
const graceMillis = 10_000

const startWorker = ({ program, server, token, datasets, name }: EmbeddedWorker): ChildProcess =>
  // The channel between the two ends it when this process is gone.
  fork(program, ['--server', server, '--datasets', datasets, '--name', name], {
    env: { ...process.env, ASSAY_TOKEN: token },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })

/** Starts the program and keeps it running until `close`. */
export const keepWorker = (options: EmbeddedWorker): KeptWorker => {
  let pauseMillis = firstPauseMillis
  let isClosing = false
  let timer: NodeJS.Timeout | undefined
  let child: ChildProcess
  let ended: Promise<unknown>
  const start = (): void => {
    const startedAt = performance.now()
    child = startWorker(options)
    ended = endOf(child).then((how) => {
      if (isClosing) return
      options.onEnd(how)
      if (performance.now() - startedAt > inOrderMillis) pauseMillis = firstPauseMillis
      timer = setTimeout(start, pauseMillis)
      pauseMillis = Math.min(2 * pauseMillis, mostPauseMillis)
    })
  }
  start()
  return {
    async close() {
      isClosing = true
      clearTimeout(timer)
      // Not SIGTERM: whoever ends the server does not wait for a round.
      child.kill('SIGINT')
      const killTimer = setTimeout(() => child.kill('SIGKILL'), graceMillis)
      await ended
      clearTimeout(killTimer)
    },
  }
}

/** The worker of that name is dead: whatever it held is queued again at once. */
export const requeueBlocksOf = async (
  worker: string,
  site: Pick<ApiSite, 'store' | 'courier' | 'deliveries'>,
): Promise<void> => {
  for (const token of site.deliveries.tokensOf(worker)) {
    try {
      site.store.blocks.release({ token, reason: 'its worker died' })
    } catch (error) {
      // Its lease ran out before, or the run was cancelled: it held nothing any more.
      if (!(error instanceof AssayError && error.kind === 'gone')) throw error
    }
  }
  await site.deliveries.giveBackOf(worker)
  await reconcile(site)
}
