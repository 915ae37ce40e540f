/** The fleet: workers register and are listed; pools are listed, paused, resumed and drained. */
import {
  assayVersion,
  drainPoolRequestSchema,
  drainPoolResponseSchema,
  listPoolsResponseSchema,
  listWorkersResponseSchema,
  poolNameSchema,
  poolStateSchema,
  type RegisterWorkerRequest,
  registerWorkerRequestSchema,
  registerWorkerResponseSchema,
  workProtocol,
} from '@assay/model'
import { drainPool, pausePool, resumePool } from '@assay/orchestrator'
import { z } from 'zod'
import { workerVersionDiffers } from '../errors.ts'
import type { Route } from '../route.ts'

const poolParams = z.strictObject({ pool: poolNameSchema.describe('the name of the pool') })

const thisBuild = { version: assayVersion, protocol: workProtocol }

const requireSameBuild = ({ version, protocol }: RegisterWorkerRequest): void => {
  if (version !== thisBuild.version || protocol !== thisBuild.protocol) {
    throw workerVersionDiffers({ version, protocol }, thisBuild)
  }
}

const registering: Route = (app, { store, leaseMillis }) => {
  app.post(
    '/workers',
    {
      config: { scope: 'worker' },
      schema: {
        tags: ['work'],
        summary: 'a worker says who it is; one of another build is refused',
        body: registerWorkerRequestSchema,
        response: { 200: registerWorkerResponseSchema.describe('what the server expects of it') },
      },
    },
    async ({ body }) => {
      requireSameBuild(body)
      const { name, pool, version, fingerprint } = body
      store.workers.register({ name, pool, version, fingerprint })
      return { name, pool, leaseMillis, ...thisBuild }
    },
  )
  app.get(
    '/workers',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['fleet'],
        summary: 'the workers of the last month, whether they are alive and what they measure',
        response: { 200: listWorkersResponseSchema.describe('by name') },
      },
    },
    async () => ({ workers: store.workers.list() }),
  )
  app.get(
    '/pools',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['fleet'],
        summary: 'each pool that has a worker, waiting blocks, or is paused',
        response: { 200: listPoolsResponseSchema.describe('by name') },
      },
    },
    async () => ({ pools: store.pools.list() }),
  )
}

const steering: Route = (app, site) => {
  const stateOfPool = poolStateSchema.describe('the pool as it is now')
  app.post(
    '/pools/:pool/pause',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['fleet'],
        summary: 'hand out nothing of a pool any more; what is being measured goes on',
        params: poolParams,
        response: { 200: stateOfPool },
      },
    },
    async ({ params }) => pausePool(params.pool, site),
  )
  app.post(
    '/pools/:pool/resume',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['fleet'],
        summary: 'hand out blocks of a paused pool again',
        params: poolParams,
        response: { 200: stateOfPool },
      },
    },
    async ({ params }) => resumePool(params.pool, site),
  )
  app.post(
    '/pools/:pool/drain',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['fleet'],
        summary: 'pause a pool and wait until nothing of it is measured',
        params: poolParams,
        body: drainPoolRequestSchema,
        response: { 200: drainPoolResponseSchema.describe('the pool, and whether it is drained') },
      },
    },
    async ({ params, body }, reply) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const over = AbortSignal.any([gone.signal, AbortSignal.timeout(body.waitMillis)])
      return drainPool(params.pool, site, over)
    },
  )
}

export const workerRoutes: Route = (app, site) => {
  registering(app, site)
  steering(app, site)
}
