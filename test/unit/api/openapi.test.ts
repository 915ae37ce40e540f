/** The document of the API: locked as a golden, and consistent in itself. */

import { scopes } from '@assay/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openServer } from './open-server.ts'

/** The parts of OpenAPI 3.1 that this document uses, strictly. */
const contentSchema = z.record(z.string(), z.strictObject({ schema: z.looseObject({}) }))
const operationSchema = z.strictObject({
  tags: z.array(z.string()).length(1),
  summary: z.string().min(1),
  security: z.array(z.strictObject({ token: z.array(z.enum(scopes)).length(1) })).max(1),
  'x-scope': z.enum([...scopes, 'open']),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean(),
        description: z.string().min(1),
        schema: z.looseObject({}),
      }),
    )
    .default([]),
  requestBody: z
    .strictObject({ required: z.literal(true), content: contentSchema })
    .exactOptional(),
  responses: z.record(
    z.union([z.string().regex(/^[1-5]\d\d$/), z.literal('default')]),
    z.strictObject({ description: z.string(), content: contentSchema.exactOptional() }),
  ),
})
const documentSchema = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  components: z.strictObject({
    schemas: z.record(z.string(), z.looseObject({})),
    securitySchemes: z.strictObject({
      token: z.looseObject({ type: z.literal('http'), scheme: z.literal('bearer') }),
    }),
  }),
  paths: z.record(
    z.string().startsWith('/api/v1/'),
    z.partialRecord(z.enum(['get', 'post', 'put']), operationSchema),
  ),
})

/** Every `$ref` inside a JSON value. */
const referencesIn = (value: unknown): string[] => {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  )
}

/** What a local reference points at. */
const resolve = (document: unknown, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object'
          ? Object.entries(value).find(([name]) => name === key)?.[1]
          : undefined,
      document,
    )

describe('the OpenAPI document', () => {
  let text = ''
  beforeEach(async () => {
    const server = await openServer()
    text = (await server.get('/openapi.json')).body
  })

  it('is locked', async () => {
    const pretty = `${JSON.stringify(JSON.parse(text), null, 2)}\n`
    await expect(pretty).toMatchFileSnapshot('../../golden/openapi.json')
  })

  it('is OpenAPI 3.1 in which every operation says what it does and answers', () => {
    const { paths, tags } = documentSchema.parse(JSON.parse(text))
    const names = tags.map(({ name }) => name)
    for (const [path, item] of Object.entries(paths)) {
      for (const operation of Object.values(item)) {
        expect(names).toContain(operation.tags[0])
        const scope = operation['x-scope']
        expect(operation.security).toEqual(scope === 'open' ? [] : [{ token: [scope] }])
        const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
        expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
        const statuses = Object.keys(operation.responses)
        expect(statuses.some((status) => status.startsWith('2'))).toBe(true)
        const silent = statuses.filter(
          (status) => operation.responses[status]?.content === undefined,
        )
        expect(silent.filter((status) => status !== '304')).toEqual([])
        expect(Object.keys(operation.responses['default']?.content ?? {})).toEqual([
          'application/problem+json',
        ])
      }
    }
  })

  it('has no reference that leads nowhere', () => {
    const document: unknown = JSON.parse(text)
    for (const reference of referencesIn(document)) {
      expect(resolve(document, reference), reference).toBeDefined()
    }
  })

  it('has what monitors ask at the place where they ask it', async () => {
    expect(Object.keys(documentSchema.parse(JSON.parse(text)).paths)).toContain(
      '/api/v1/health/live',
    )
    const server = await openServer()
    expect((await server.get('/health/live')).json()).toEqual({ status: 'live' })
  })
})
