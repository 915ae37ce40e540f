/**
 * Server-sent events (HTML standard, section 9.2) of what the store tells: one stream a client, each
 * event under its number, so that a client that comes back says which was its last and misses none.
 */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { RunStatus, StreamEvent } from '@assay/model'
import type { Store } from '@assay/store'

/** A proxy drops a connection that is silent for a minute; a dead client is noticed by writing. */
const heartbeatMillis = 15_000

/** How long a client waits before it comes back. */
const retryMillis = 2_000

/** Events read at once. */
const pageSize = 500

const terminal: ReadonlySet<RunStatus> = new Set(['complete', 'failed', 'cancelled'])

/** What is followed, and from where. */
export interface Following {
  readonly store: Store
  /** Absent: all runs, for ever. */
  readonly runId?: string
  /** The last event that the client has; null: a run from its beginning, all runs from now. */
  readonly after: number | null
  /** Raised when the client is gone or the server ends. */
  readonly over: AbortSignal
  /** Whether the client may look still; asked before each event, and at each heartbeat. */
  readonly mayLook: () => boolean
}

const textOf = (event: StreamEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** Resolves at the next change, after the pause, or when it is over. */
const nextChange = (
  { store, over }: Pick<Following, 'store' | 'over'>,
  pauseMillis: number,
): Promise<void> =>
  new Promise((resolve) => {
    if (over.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      stop()
      over.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, pauseMillis)
    const stop = store.events.onChange(end)
    over.addEventListener('abort', end)
  })

/** Where the stream begins, and whether events before that are lost to the client. */
const beginningOf = ({ store, runId, after }: Following): { at: number; hasGap: boolean } => {
  const { oldest, newest } = store.events.range()
  if (after === null) return { at: runId === undefined ? newest : 0, hasGap: false }
  // A number that was never given is of another store: what the client knows is worth nothing here.
  if (after > newest) return { at: newest, hasGap: true }
  const isLost = after + 1 < oldest
  return { at: isLost ? oldest - 1 : after, hasGap: isLost }
}

/** The last word of a run's stream; null while the run goes on, and where all runs are followed. */
const lastWord = ({ store, runId }: Following, id: number): StreamEvent | null => {
  if (runId === undefined) return null
  const { status } = store.runs.find(runId)
  return terminal.has(status) ? { type: 'end', id, runId, status } : null
}

/** Texts of the stream, one by one, until it is over, the run has ended, or the client may look no more. */
export async function* eventTexts(following: Following): AsyncGenerator<string> {
  const { store, runId, over, mayLook } = following
  const of = { limit: pageSize, ...(runId === undefined ? {} : { runId }) }
  const beginning = beginningOf(following)
  let { at } = beginning
  let spokenAt = performance.now()
  yield `retry: ${retryMillis}\n\n`
  if (beginning.hasGap) yield textOf({ type: 'gap', id: at })
  while (!over.aborted && mayLook()) {
    const changes = store.events.after({ after: at, ...of })
    for (const change of changes) {
      if (!mayLook()) return
      at = change.id
      yield textOf(change)
      spokenAt = performance.now()
    }
    if (changes.length > 0) continue
    // Nothing is awaited between the look and the wait: no change can slip in unseen.
    const end = lastWord(following, at)
    if (end !== null) return yield textOf(end)
    await nextChange(following, spokenAt + heartbeatMillis - performance.now())
    if (performance.now() - spokenAt < heartbeatMillis || !mayLook()) continue
    yield ': alive\n\n'
    spokenAt = performance.now()
  }
}

/** Writes the stream to a response, no faster than the client reads. */
export const writeStream = async (
  response: ServerResponse,
  following: Following,
): Promise<void> => {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // A proxy that collects answers would hold events back (nginx).
    'x-accel-buffering': 'no',
  })
  for await (const text of eventTexts(following)) {
    if (!response.write(text)) {
      await once(response, 'drain', { signal: following.over }).catch(() => undefined)
    }
  }
  response.end()
}
