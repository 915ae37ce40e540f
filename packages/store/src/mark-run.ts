/** A person's word that the numbers of a run are worth nothing, or that they are after all. */
import type { Run } from '@assay/model'
import type { Context } from './context.ts'
import { record } from './events.ts'
import { requireRunRow, runOf } from './find-run.ts'

/** Marks a run invalid for a reason, or valid again with null. Errors: `run-not-found`. */
export const markRun = (context: Context, id: string, reason: string | null): Run =>
  context.write(() => {
    const { runKey, status, reason: why } = requireRunRow(context, id)
    const at = reason === null ? null : context.now()
    context.statements.run.setInvalid.run({ runKey, reason, at })
    // Followers look at the run again.
    record(context, runKey, { type: 'run', status, reason: why })
    return runOf(requireRunRow(context, id))
  })
