/** Use-case: what is allowed in a plan and yet hardly meant, one sentence each. */
import type { Plan } from '@assay/model'

const onlyOneLevel = ({ comparedFactor, blocks }: Plan): string | null =>
  blocks.every(({ cells }) => cells.filter(({ role }) => role !== 'self-check').length < 2)
    ? `nothing is compared, for ${comparedFactor} has one level in every block: add the level to compare it with`
    : null

const nothingSupported = ({ blocks }: Plan): string | null => {
  const reasons = blocks.flatMap(({ cells }) => cells.map(({ unsupported }) => unsupported))
  if (reasons.some((reason) => reason === null)) return null
  return `nothing of this can be measured: ${[...new Set(reasons)].join('; ')}`
}

/** Remarks on a plan, in a fixed order. */
export const planRemarks = (plan: Plan): readonly string[] =>
  [onlyOneLevel, nothingSupported].flatMap((rule) => rule(plan) ?? [])
