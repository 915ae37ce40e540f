/** From what a request asks of a run to what planning understands. */
import type { PlanRequest } from '@assay/model'
import type { KeyValue, PlanOverrides } from '@assay/orchestrator'

const keyValueOf = (text: string): KeyValue => {
  const at = text.indexOf('=')
  return { key: text.slice(0, at), value: text.slice(at + 1) }
}

/** Overrides of a plan; `seed` orders the rounds where the request gives none. */
export const overridesOf = (request: PlanRequest, seed: string): PlanOverrides => {
  const { only = [], skip = [], quick = false, pool, rounds } = request
  return {
    seed: request.seed ?? seed,
    only: only.map(keyValueOf),
    skip: skip.map(keyValueOf),
    quick,
    ...(pool === undefined ? {} : { pool }),
    ...(rounds === undefined ? {} : { rounds }),
  }
}
