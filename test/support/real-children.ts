/** A single-process Assay that measures real children, without the host lock: for small programs. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLauncher } from '@assay/measure'
import type { StoredSample } from '@assay/model'
import { type ProgressEvent, type WorkSite, work } from '@assay/orchestrator'
import { defaultPool } from '@assay/queue'
import { type InProcess, openInProcess } from './in-process.ts'

export interface RealChildren extends InProcess {
  readonly events: readonly ProgressEvent[]
  /** Starts and measures a campaign to its end, or until `stop` aborts; gives the run's id. */
  measure(yaml: string, stop?: AbortSignal): Promise<string>
  /** Goes on with a run. */
  goOn(runId: string, stop?: AbortSignal): Promise<void>
  samples(runId: string): readonly StoredSample[]
  /** The lines of a file in the folder where commands and hooks start. */
  lines(name: string): readonly string[]
}

/** Opens one; `close` removes it. */
export const openRealChildren = (changes: Partial<WorkSite> = {}): RealChildren => {
  const events: ProgressEvent[] = []
  const process = openInProcess({ onEvent: (event) => events.push(event) })
  const site: WorkSite = {
    ...process.site,
    openLauncher: () => openLauncher({ hostLock: null }),
    ...changes,
  }
  const isOpen = (runId: string): boolean =>
    process.store.blocks
      .listOf(runId)
      .some(({ status }) => status === 'queued' || status === 'taken')
  const goOn = async (runId: string, stop = new AbortController().signal): Promise<void> => {
    const options = { pool: defaultPool, stop, waitMillis: 50, goOn: () => isOpen(runId) }
    await work(process.courier, site, options).catch((error: unknown) => {
      if (!stop.aborted) throw error
    })
  }
  return {
    ...process,
    events,
    goOn,
    async measure(yaml, stop) {
      const { id } = await process.start(yaml)
      await goOn(id, stop)
      return id
    },
    samples: (runId) => process.store.samples.ofRun(runId, { limit: 1000, cursor: null }).samples,
    lines(name) {
      const path = join(process.directory, name)
      return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
    },
  }
}
