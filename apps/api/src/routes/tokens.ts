/** Tokens: made, listed, revoked. The text of a token is in the answer that makes it, nowhere else. */
import {
  createdTokenSchema,
  createTokenRequestSchema,
  listTokensResponseSchema,
  tokenSchema,
} from '@assay/model'
import { makeToken } from '@assay/orchestrator'
import { z } from 'zod'
import type { Route } from '../route.ts'

const tokenParams = z.strictObject({ token: z.string().describe('the id of the token') })

export const tokenRoutes: Route = (app, site) => {
  const { tokens } = site.store
  app.post(
    '/tokens',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['tokens'],
        summary: 'make a token; its text is shown this once',
        body: createTokenRequestSchema,
        response: { 201: createdTokenSchema.describe('the token with its text') },
      },
    },
    async ({ body }, reply) => {
      const made = makeToken(body, site)
      return reply
        .code(201)
        .header('location', `/api/v1/tokens/${made.id}`)
        .header('cache-control', 'no-store')
        .send(made)
    },
  )
  app.get(
    '/tokens',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['tokens'],
        summary: 'every token that was ever made, without its text',
        response: { 200: listTokensResponseSchema.describe('from the oldest') },
      },
    },
    async () => ({ tokens: tokens.list() }),
  )
  app.get(
    '/tokens/:token',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['tokens'],
        summary: 'one token, without its text',
        params: tokenParams,
        response: { 200: tokenSchema.describe('the token') },
      },
    },
    async ({ params }) => tokens.get(params.token),
  )
  app.post(
    '/tokens/:token/revoke',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['tokens'],
        summary: 'a token is worth nothing from now on; it stays listed',
        params: tokenParams,
        response: { 200: tokenSchema.describe('the revoked token') },
      },
    },
    async ({ params }) => tokens.revoke(params.token),
  )
}
