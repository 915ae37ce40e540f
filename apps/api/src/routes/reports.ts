/** The judged report of a run, in the format that the client accepts. */
import { reportSchema, textDigest } from '@assay/model'
import { printRun } from '@assay/orchestrator'
import { formatAliases, formatNamed, formats, type ReportFormat } from '@assay/report'
import { z } from 'zod'
import { notAcceptable } from '../errors.ts'
import type { Route } from '../route.ts'
import { runParams } from './run-params.ts'

const query = z.strictObject({
  format: z
    .enum([...formats.map(({ name }) => name), ...formatAliases.keys()])
    .exactOptional()
    .describe('the name of a format; goes before the Accept header'),
  metric: z
    .string()
    .exactOptional()
    .describe('what is judged, e.g. peakRssBytes; else what the campaign names'),
})

const mediaTypes = [...new Set(formats.map(({ mediaType }) => mediaType))]

/** A report in each media type. */
const answer = {
  description: 'the report as far as it was measured',
  content: Object.fromEntries(
    mediaTypes.map((type) => [
      type,
      { schema: type === 'application/json' ? reportSchema : z.string() },
    ]),
  ),
}

/** One part of an Accept header (RFC 9110, section 12.5.1). */
interface Wish {
  readonly type: string
  /** From 0, not acceptable, to 1. */
  readonly weight: number
}

/** The wishes of an Accept header, most wanted first. */
const wishesOf = (header: string): Wish[] =>
  header
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const quality = parameters.find((text) => text.startsWith('q='))?.slice(2)
      return { type, weight: quality === undefined ? 1 : Number(quality) }
    })
    .sort((left, right) => right.weight - left.weight)

const matches = (accepted: string, offered: string): boolean =>
  accepted === '*/*' || accepted === offered || accepted === `${offered.split('/')[0]}/*`

/** The first registered format of the most wanted type; text comes first where all is welcome. */
const formatFor = (accept: string): ReportFormat => {
  const wishes = wishesOf(accept)
  const unwanted = wishes.filter(({ weight }) => weight === 0).map(({ type }) => type)
  const offered = formats.filter(({ mediaType }) => !unwanted.includes(mediaType))
  for (const { type } of wishes.filter(({ weight }) => weight > 0)) {
    const format = offered.find(({ mediaType }) => matches(type, mediaType))
    if (format !== undefined) return format
  }
  throw notAcceptable(accept, mediaTypes)
}

const conditionHeaders = z.looseObject({
  'if-none-match': z
    .string()
    .exactOptional()
    .describe('the ETag of the report that the client has; unchanged is answered with 304'),
})

/** Whether a list of entity tags has this one; a weak one is as good here (RFC 9110, 13.1.2). */
const has = (list: string, tag: string): boolean =>
  list.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)

export const reportRoutes: Route = (app, site) => {
  app.get(
    '/runs/:run/report',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'the judged report of a run; its format by Accept, or by ?format=',
        params: runParams,
        querystring: query,
        headers: conditionHeaders,
        response: { 200: answer, 304: z.undefined().describe('it is what the client has') },
      },
    },
    async ({ params, query: { format: name, ...judged }, headers }, reply) => {
      const format = name === undefined ? formatFor(headers.accept ?? '*/*') : formatNamed(name)
      const { id } = site.store.runs.find(params.run)
      const { text } = printRun(id, site.store, { format: format.name, ...judged })
      const tag = `"${textDigest(`${format.name} ${text}`)}"`
      reply.header('vary', 'accept').header('etag', tag).header('cache-control', 'no-cache')
      if (has(headers['if-none-match'] ?? '', tag)) return reply.code(304).send()
      return reply.type(`${format.mediaType}; charset=utf-8`).send(text)
    },
  )
}
