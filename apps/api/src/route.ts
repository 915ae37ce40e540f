/** A group of endpoints: declares its schemas, then answers in a few lines each. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { ApiSite } from './site.ts'

/** Fastify with zod schemas as the source of types. */
export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** Adds its endpoints to the API. */
export type Route = (app: Api, site: ApiSite) => void
