/** The API over a store in a temporary folder, asked without a port. */
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiSite, buildApp, openDeliveries } from '@assay/api'
import { catalogue } from '@assay/bench'
import {
  digestOf,
  problemSchema,
  type Round,
  type Scope,
  takenBlockSchema,
  tokenHashOf,
} from '@assay/model'
import { makeToken } from '@assay/orchestrator'
import { openEmbeddedCourier } from '@assay/queue'
import { openStore } from '@assay/store'
import { expect, onTestFinished } from 'vitest'
import { aFingerprint, aRound, aSample, aUsage } from '../../support/builders.ts'

type App = Awaited<ReturnType<typeof buildApp>>
type Logger = Parameters<typeof buildApp>[1]
type Answer = Awaited<ReturnType<App['inject']>>

/** Two cells in one block; nothing is generated unless it is measured. */
export const yaml = `
compare: { mode: { before: no-mmap, after: mmap-populate } }
datasets: { tiny: { generate: mercurial-like, scale: 0.002 } }
benchmarks: [hg.command.log]
sampling: { rounds: 3, warmups: 0 }
`

/** A logger that keeps what is logged as an error. */
const recordingLogger = () => {
  const errors: unknown[] = []
  const nothing = (): void => undefined
  const logger: Logger = {
    level: 'info',
    ...{ silent: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing },
    ...{ error: (first: unknown) => void errors.push(first), fatal: nothing },
    child: () => logger,
  }
  return { logger, errors }
}

export interface TestServer {
  readonly app: App
  readonly site: ApiSite
  /** What was logged as an error. */
  readonly errors: readonly unknown[]
  /** Headers that carry a token; one of scope `admin`, unless another is given. */
  by(token?: string): { authorization: string }
  /** A new token's text. */
  token(...scopes: Scope[]): string
  /** Asks without a token, as a browser at the machine does. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Sends JSON with a token of scope `admin`, unless another is given. */
  send(method: 'POST' | 'PUT', path: string, body?: object, token?: string): Promise<Answer>
  /** Starts a run of `yaml`; gives its id. */
  start(name?: string): Promise<string>
  /** Takes the first block of a run; gives the token. */
  take(runId: string): Promise<string>
  /** Saves a round of both cells; gives the status. */
  putRound(runId: string, token: string, round: Round): Promise<number>
}

/** A round of both cells of `yaml`'s block, the second of them slower. */
export const roundOf = (number: number): Round =>
  aRound({
    number,
    samples: [
      aSample({ cellId: 'b1.c1', position: 0, usage: aUsage({ wallSeconds: 0.1 }) }),
      aSample({ cellId: 'b1.c2', position: 1, usage: aUsage({ wallSeconds: 0.2 }) }),
    ],
  })

/** The token of the server's own worker. */
export const ownWorkerToken = 'assay_own_worker'

/** Opens one, which goes with the test; `change` replaces parts of its site. */
export const openServer = async (
  change: (site: ApiSite) => ApiSite = (site) => site,
  now: () => number = Date.now,
): Promise<TestServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-api-'))
  const campaignsDirectory = join(directory, 'campaigns')
  mkdirSync(campaignsDirectory)
  writeFileSync(join(campaignsDirectory, 'known.yaml'), yaml)
  writeFileSync(join(directory, 'secret.yaml'), yaml)
  const store = openStore({ path: join(directory, 'assay.db'), access: 'write', now })
  const courier = openEmbeddedCourier({ store })
  let made = 0
  const next = (what: string): string => {
    made += 1
    return `${what}${made}`
  }
  const site = change({
    ...{ store, courier, catalogue, campaignsDirectory, now },
    deliveries: openDeliveries(),
    newId: () => next('run'),
    newToken: () => next('token'),
    randomBelow: randomInt,
    workerTokenHash: tokenHashOf(ownWorkerToken),
    isPublic: false,
    leaseMillis: 60_000,
  })
  const { logger, errors } = recordingLogger()
  const app = await buildApp(site, logger)
  onTestFinished(async () => {
    await courier.close()
    await app.close()
    store.close()
    rmSync(directory, { recursive: true })
  })
  let tokens = 0
  const token: TestServer['token'] = (...scopes) => {
    tokens += 1
    const newId = (): string => `t${tokens}`
    const made = makeToken({ name: scopes.join(' and '), scopes }, { ...site, newId })
    return made.token
  }
  const admin = token('admin')
  const by: TestServer['by'] = (text = admin) => ({ authorization: `Bearer ${text}` })
  const send: TestServer['send'] = (method, path, body, text) =>
    app.inject({
      ...{ method, url: `/api/v1${path}`, headers: by(text) },
      ...(body === undefined ? {} : { payload: body }),
    })
  return {
    ...{ app, site, errors, by, token, send },
    get: (path, headers = {}) => app.inject({ url: `/api/v1${path}`, headers }),
    async start(name) {
      const answer = await send('POST', '/runs', name === undefined ? { yaml } : { yaml, name })
      expect(answer.statusCode).toBe(201)
      return answer.json<{ id: string }>().id
    },
    async take(runId) {
      const by = { worker: 'tests', fingerprint: aFingerprint() }
      const answer = await send('POST', `/runs/${runId}/blocks/b1/take`, by)
      expect(answer.statusCode).toBe(200)
      return takenBlockSchema.parse(answer.json()).take.token
    },
    async putRound(runId, token, round) {
      const body = { token, digest: digestOf(round), round }
      const path = `/runs/${runId}/blocks/b1/rounds/${round.number}`
      return (await send('PUT', path, body)).statusCode
    },
  }
}

/** The answer is a problem of that status and code; gives it. */
export const expectProblem = (answer: Answer, status: number, code: string) => {
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  const problem = problemSchema.parse(answer.json())
  expect({ answered: answer.statusCode, status: problem.status, code: problem.code }).toEqual({
    ...{ answered: status, status, code },
  })
  return problem
}
