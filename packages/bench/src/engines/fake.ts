/**
 * The engine of the tests: plays back the seconds of a script, so that the whole way from YAML to
 * report can be checked to the last digit. It starts no child.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { noUsage, type PlannedBlock, type PlannedCell } from '@assay/model'
import { z } from 'zod'
import { fakeScriptSilent, fakeScriptUnreadable } from '../errors.ts'
import type { Engine, Measurement } from './engine.ts'

/** One line of a script: the seconds of a label under some headings, round after round, repeated. */
const scriptSchema = z.array(
  z.strictObject({
    /** Each must be among the block's headings; headings not named here do not matter. */
    headings: z.record(z.string(), z.string()),
    label: z.string(),
    /** A negative number is a failed sample of that length. */
    seconds: z.array(z.number()).min(1),
    /** How long each sample takes for real, whatever it says. */
    pauseMillis: z.number().min(0).default(0),
  }),
)
type Script = z.infer<typeof scriptSchema>

const readScript = async (path: string | null): Promise<Script> => {
  if (path === null) throw fakeScriptUnreadable('(none)', 'write engines: [{ fake: script.json }]')
  try {
    return scriptSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw fakeScriptUnreadable(path, cause instanceof Error ? cause.message : String(cause))
  }
}

const lineOf = (script: Script, block: PlannedBlock, cell: PlannedCell): Script[number] => {
  const line = script.find(
    ({ headings, label }) =>
      label === cell.label &&
      Object.entries(headings).every(([key, value]) => block.headings[key] === value),
  )
  if (line === undefined) throw fakeScriptSilent(cell.label, block.headings)
  return line
}

const playBack = (seconds: number): Measurement => ({
  outcome: seconds < 0 ? 'failed' : 'good',
  exitCode: seconds < 0 ? 1 : 0,
  signal: null,
  usage: { ...noUsage, wallSeconds: Math.abs(seconds) },
  metrics: {},
  loops: 1,
  stackPaddingBytes: 0,
  stderr: seconds < 0 ? 'the script says that this sample fails' : '',
})

export const fake: Engine = {
  name: 'fake',
  summary: 'plays back the seconds of a script; for tests',
  flavors: ['default', 'rust', 'py'],
  takes: 'script',
  readsDataset: false,
  unsupportedReason: () => null,
  buildDigest: async () => null,
  commandLine: () => null,
  async prepare(cell, site) {
    const script = await readScript(cell.engine.script)
    const { seconds, pauseMillis } = lineOf(script, site.block, cell)
    return {
      async measure({ round }) {
        if (pauseMillis > 0) await sleep(pauseMillis)
        return playBack(seconds[(round - 1) % seconds.length] ?? 0)
      },
    }
  },
}
