/** Finds an engine by the name that a plan carries. */
import type { Engine } from './engines/engine.ts'
import { engineUnknown } from './errors.ts'

/** The engine called `name`; rejects with `engine-unknown` when this version has none. */
export const engineNamed = (engines: readonly Engine[], name: string): Engine => {
  const engine = engines.find((one) => one.name === name)
  if (engine === undefined) {
    throw engineUnknown(
      name,
      engines.map((one) => one.name),
    )
  }
  return engine
}
