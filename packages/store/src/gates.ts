/**
 * Gates: runs that are held against rules once they are over. A gate is written with its run and
 * linked with its confirmation when that is written, so that neither can be without the other.
 */
import { type GateRules, gateRulesSchema } from '@assay/model'
import type { Context } from './context.ts'
import { gateNotFound } from './errors.ts'
import { requireRunRow } from './find-run.ts'
import { parseColumn } from './json-column.ts'
import type { GateRecord } from './tables/gate.ts'

/** What a run is held against. */
export interface NewGate {
  readonly rules: GateRules
  /** Rounds in which regressions are measured again; null lets one measurement decide. */
  readonly confirmRounds: number | null
}

/** A gate of the store. */
export interface StoredGate extends NewGate {
  readonly runId: string
  /** The run that measures the regressions again; null before there is one. */
  readonly confirmationId: string | null
  /** When there was nothing more to measure; null before. */
  readonly decidedAt: number | null
}

/** The store's gates. */
export interface Gates {
  /** Errors: `run-not-found`, `gate-not-found`. */
  get(runId: string): StoredGate
  /** Those that are not decided and wait for no run any more, oldest first. */
  due(): readonly StoredGate[]
  /** Nothing more is measured for it. A gate that was decided stays as it is. */
  decide(runId: string): void
}

const gateFrom = ({ rules, ...record }: GateRecord): StoredGate => ({
  ...record,
  rules: parseColumn(gateRulesSchema, rules, `rules of the gate on ${record.runId}`),
})

/** Part of the transaction that writes the run. */
export const insertGate = ({ statements }: Context, runKey: number, gate: NewGate): void => {
  const { rules, confirmRounds } = gate
  statements.gate.insert.run({ runKey, rules: JSON.stringify(rules), confirmRounds })
}

/** Part of the transaction that writes the confirmation; a run without a gate has nothing to link. */
export const linkConfirmation = (
  context: Context,
  confirmationRunKey: number,
  confirmedId: string,
): void => {
  const { runKey } = requireRunRow(context, confirmedId)
  context.statements.gate.confirm.run({ runKey, confirmationRunKey })
}

/** The gates of an open store. */
export const gatesOf = (context: Context): Gates => ({
  get: (runId) =>
    context.read(() => {
      const record = context.statements.gate.ofRun.get(requireRunRow(context, runId).runKey)
      if (record === undefined) throw gateNotFound(runId)
      return gateFrom(record)
    }),
  due: () => context.statements.gate.due.all().map(gateFrom),
  decide: (runId) =>
    context.write(() => {
      const { runKey } = requireRunRow(context, runId)
      context.statements.gate.decide.run({ runKey, at: context.now() })
    }),
})
