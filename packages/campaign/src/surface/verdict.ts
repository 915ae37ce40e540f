/** The surface of `verdict`: what is judged and what counts as a change. */
import { type Catalogue, commonMetrics } from '@assay/model'
import { z } from 'zod'
import { nearestName, quoted, unknownName } from '../did-you-mean.ts'
import { duration, percentage } from './quantities.ts'
import { section } from './section.ts'

/**
 * A metric's name. Engines have metrics of their own that nobody knows before they are measured, so
 * an unknown name is a fault only where it looks like a known one.
 */
const metricName = ({ engines }: Catalogue) => {
  const known = [...commonMetrics, ...engines.flatMap(({ metrics }) => metrics ?? [])]
  return z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9._-]{0,62}$/, {
      error: ({ input }) =>
        `${quoted(String(input))} is no metric; write a name such as wallSeconds`,
    })
    .refine((name) => known.includes(name) || nearestName(name, known) === null, {
      error: ({ input }) => unknownName('metric', String(input), known),
    })
    .meta({ examples: known })
}

/** Several metrics, or one. */
const metricsOf = (catalogue: Catalogue) => {
  const name = metricName(catalogue)
  return z
    .union([name, z.array(name).min(1).max(20)])
    .transform((names) => (typeof names === 'string' ? [names] : names))
    .refine((names) => new Set(names).size === names.length, {
      error: 'a metric is there twice; remove one',
    })
    .describe('what is judged; the first is the primary one; wallSeconds by default')
}

/** The section `verdict`. */
export const verdictSection = (catalogue: Catalogue) =>
  section({
    metrics: metricsOf(catalogue).exactOptional(),
    threshold: percentage({
      least: 0,
      most: 100,
      summary: 'smallest effect of a regression or improvement; 1% by default',
    }).exactOptional(),
    tolerance: percentage({
      least: 0.01,
      most: 100,
      summary: 'half-width of the band that counts as unchanged; 2% by default',
    }).exactOptional(),
    minDifference: duration({
      least: 0,
      most: 86_400,
      summary: 'smallest difference of a regression or improvement; 0s by default',
    }).exactOptional(),
    falseDiscoveryRate: percentage({
      least: 0.01,
      most: 50,
      summary: 'accepted share of false alarms among flagged rows; 5% by default',
    }).exactOptional(),
  })
