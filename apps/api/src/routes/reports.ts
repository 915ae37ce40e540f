/** The judged report of a run, in the format that the client accepts. */
import { judgeRun } from '@assay/orchestrator'
import { formats } from '@assay/report'
import { z } from 'zod'
import { notAcceptable } from '../errors.ts'
import type { Route } from '../route.ts'

const query = z.strictObject({
  /** The name of a format; goes before the Accept header. */
  format: z.enum(formats.map(({ name }) => name)).exactOptional(),
})

/** Media types of an Accept header, most wanted first (RFC 9110, section 12.5.1). */
const acceptedTypes = (header: string): string[] =>
  header
    .split(',')
    .map((part, place) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const quality = parameters.find((text) => text.startsWith('q='))?.slice(2)
      return { type, place, weight: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight || left.place - right.place)
    .map(({ type }) => type)

const matches = (accepted: string, offered: string): boolean =>
  accepted === '*/*' || accepted === offered || accepted === `${offered.split('/')[0]}/*`

/** The first registered format of the most wanted type; text comes first where all is welcome. */
const formatFor = (accept: string) => {
  for (const type of acceptedTypes(accept)) {
    const format = formats.find(({ mediaType }) => matches(type, mediaType))
    if (format !== undefined) return format
  }
  const offered = [...new Set(formats.map(({ mediaType }) => mediaType))]
  throw notAcceptable(accept, offered)
}

export const reportRoutes: Route = (app, site) => {
  app.get(
    '/runs/:run/report',
    {
      schema: {
        summary: 'the report of a run: text/plain or application/json by Accept, or ?format=',
        params: z.strictObject({ run: z.string() }),
        querystring: query,
        produces: [...new Set(formats.map(({ mediaType }) => mediaType))],
      },
    },
    async ({ params, query: { format: name }, headers }, reply) => {
      const named = formats.find((format) => format.name === name)
      const format = named ?? formatFor(headers.accept ?? '*/*')
      const report = judgeRun(site.store.runs.find(params.run).id, site.store)
      return reply
        .type(`${format.mediaType}; charset=utf-8`)
        .header('vary', 'accept')
        .send(format.render(report))
    },
  )
}
