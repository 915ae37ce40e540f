/** The JSON Schema of a campaign for editors, generated from the schemas that read it. */
import type { Catalogue } from '@assay/model'
import { z } from 'zod'
import { surfaceOf } from './surface.ts'

/** JSON Schema (draft 2020-12) of the YAML that `catalogue` allows. */
export const campaignJsonSchema = (catalogue: Catalogue): Readonly<Record<string, unknown>> => {
  const surface = surfaceOf(catalogue)
  const campaign = z.strictObject({
    name: surface.name.exactOptional(),
    description: surface.description.exactOptional(),
    compare: surface.compare,
    mode: surface.mode.exactOptional(),
    engines: surface.engines.exactOptional(),
    datasets: surface.datasets.exactOptional(),
    benchmarks: surface.benchmarks,
    pool: surface.pool.exactOptional(),
    exclude: surface.exclude.exactOptional(),
    sampling: surface.sampling.exactOptional(),
    verdict: surface.verdict.exactOptional(),
  })
  const schema = z.toJSONSchema(campaign, { io: 'input', target: 'draft-2020-12' })
  return { ...schema, title: 'Assay campaign' }
}
