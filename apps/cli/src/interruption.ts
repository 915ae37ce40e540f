/**
 * Runs that nobody goes on with: their process was stopped or killed, so that the store still says
 * planned or running. They are told from those that are under way by the store, which nobody holds.
 */
import type { Run } from '@assay/model'
import { isWritten } from '@assay/store'

/** Tells of runs of the store at `path` whether they wait for `assay resume`. */
export const interruptionIn = (path: string): ((run: Pick<Run, 'status'>) => boolean) => {
  const isIdle = isWritten(path) === false
  return ({ status }) => isIdle && (status === 'planned' || status === 'running')
}
