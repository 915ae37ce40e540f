/**
 * A gate that a server measures and decides: posted, waited for, and fetched with its reports. A
 * server that is away for a while is waited for too; its run goes on whether anybody waits or not.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AssayError,
  type GateState,
  gateStateSchema,
  type Report,
  reportSchema,
  type StartGateRequest,
} from '@assay/model'
import { type AskedServer, askServer, type GatedRun } from '@assay/orchestrator'
import type { Surroundings } from '../config.ts'
import { countText } from '../count-text.ts'
import { openStatusLine } from '../status-line.ts'

/** How often the server is asked. */
const askEveryMillis = 1_000

/** For how long a server may be away while somebody waits. */
const patienceMillis = 300_000

const isAway = (error: unknown): boolean =>
  error instanceof AssayError && error.code === 'server-unreachable'

const interrupted = (id: string): AssayError =>
  new AssayError({
    code: 'interrupted',
    kind: 'unmeasurable',
    message: `nobody waits for gate ${id} any more; the server goes on with it`,
  })

const lineOf = ({ status, run, confirmation }: GateState): string => {
  const { blocks, samples } = confirmation ?? run
  const done = `${blocks.finished} of ${countText(blocks.total, 'block')}, ${countText(samples, 'sample')}`
  return status === 'decided' ? 'decided' : `${status}: ${done}`
}

/** Asks until it is decided, and tells each step. */
const decidedOf = async (
  id: string,
  server: AskedServer,
  surroundings: Surroundings,
): Promise<GateState> => {
  const { stop } = surroundings
  const line = openStatusLine(surroundings)
  let answeredAt = performance.now()
  for (;;) {
    try {
      const state = await askServer(server, { path: `/gates/${id}` }, gateStateSchema)
      answeredAt = performance.now()
      line.show(lineOf(state))
      if (state.status === 'decided') {
        line.end()
        return state
      }
    } catch (error) {
      if (!isAway(error) || performance.now() - answeredAt > patienceMillis) throw error
      line.show('the server does not answer; waiting for it')
    }
    await sleep(askEveryMillis, undefined, { signal: stop }).catch(() => undefined)
    if (stop.aborted) throw interrupted(id)
  }
}

const reportOf = (id: string, server: AskedServer): Promise<Report> =>
  askServer(server, { path: `/runs/${id}/report?format=json` }, reportSchema)

/** Posts a gate and waits for what it decides. Errors: the server's own, `server-unreachable`. */
export const gateOnServer = async (
  request: StartGateRequest,
  server: AskedServer,
  surroundings: Surroundings,
): Promise<GatedRun> => {
  const asked = { path: '/gates', body: request }
  const { id, campaign } = (await askServer(server, asked, gateStateSchema)).run
  surroundings.err(`run ${id} of campaign ${campaign}, server ${server.url}\n`)
  const { gate, confirmation } = await decidedOf(id, server, surroundings)
  if (gate === null) throw new Error(`gate ${id} is decided and has no outcome`)
  return {
    gate,
    report: await reportOf(id, server),
    confirmation: confirmation === null ? null : await reportOf(confirmation.id, server),
  }
}
