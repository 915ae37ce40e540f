/** The registry of report formats, one file and one line for each, and how one is asked for. */
import type { Report } from '@assay/model'
import { unknownFormat } from './errors.ts'
import type { RenderOptions, ReportFormat } from './format.ts'
import { jsonFormat } from './json.ts'
import { markdownFormat } from './markdown.ts'
import { compactFormat, fullFormat, textFormat } from './text.ts'

/** Every format; the first is the default, and the first of a media type stands for it. */
export const formats: readonly ReportFormat[] = [
  textFormat,
  fullFormat,
  compactFormat,
  markdownFormat,
  jsonFormat,
]

/** The report in the format of that name; throws `report-format-unknown`. */
export const renderReport = (
  report: Report,
  name: string,
  options: Partial<RenderOptions> = {},
): string => {
  const format = formats.find((one) => one.name === name)
  if (format === undefined) {
    throw unknownFormat(
      name,
      formats.map((one) => one.name),
    )
  }
  return format.render(report, options)
}
