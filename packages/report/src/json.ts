/** The report as JSON: everything that is known, keys sorted, so that equal reports are equal bytes. */
import { canonicalJson, type Report, reportSchema } from '@assay/model'
import type { ReportFormat } from './format.ts'

const renderJson = (report: Report): string =>
  `${JSON.stringify(JSON.parse(canonicalJson(report)), null, 2)}\n`

/** The JSON Schema (draft 2020-12) of what the format `json` prints. */
export const reportJsonSchema = (): Readonly<Record<string, unknown>> => ({
  ...reportSchema.toJSONSchema(),
})

/** Reports for programs. */
export const jsonFormat: ReportFormat = {
  name: 'json',
  mediaType: 'application/json',
  needsSamples: false,
  joins: false,
  render: renderJson,
}
