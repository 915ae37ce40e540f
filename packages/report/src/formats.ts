/** The registry of report formats, one file and one line for each, and how one is asked for. */
import type { Report } from '@assay/model'
import { csvFormat } from './csv.ts'
import { unknownFormat } from './errors.ts'
import type { RenderOptions, ReportDetails, ReportFormat } from './format.ts'
import { htmlFormat } from './html/html.ts'
import { jsonFormat } from './json.ts'
import { markdownFormat } from './markdown.ts'
import { compactFormat, fullFormat } from './text.ts'

/** Every format; the first is the default, and the first of a media type stands for it. */
export const formats: readonly ReportFormat[] = [
  fullFormat,
  compactFormat,
  markdownFormat,
  jsonFormat,
  csvFormat,
  htmlFormat,
]

/** Other names that a format is asked for by. */
export const formatAliases: ReadonlyMap<string, string> = new Map([['text', fullFormat.name]])

/** The format of that name, or of the one it stands for; throws `report-format-unknown`. */
export const formatNamed = (name: string): ReportFormat => {
  const wanted = formatAliases.get(name) ?? name
  const format = formats.find((one) => one.name === wanted)
  if (format !== undefined) return format
  throw unknownFormat(
    name,
    formats.map((one) => one.name),
  )
}

/** The report in the format of that name; throws `report-format-unknown`, `report-samples-missing`. */
export const renderReport = (
  report: Report,
  name: string,
  chosen: { readonly options?: Partial<RenderOptions>; readonly details?: ReportDetails } = {},
): string => formatNamed(name).render(report, chosen.options, chosen.details)
