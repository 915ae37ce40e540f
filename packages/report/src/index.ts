/** A judged run in, text out: one file per format, and the reader of the text format. Pure. */
export { csvFormat } from './csv.ts'
export type { TextFault } from './errors.ts'
export {
  defaultRenderOptions,
  type RenderOptions,
  type ReportDetails,
  type ReportFormat,
} from './format.ts'
export { formatAliases, formatNamed, formats, renderReport } from './formats.ts'
export type { HeadingStyle } from './headings.ts'
export { htmlFormat, htmlPolicy } from './html/html.ts'
export { jsonFormat, reportJsonSchema } from './json.ts'
export { renderJunit } from './junit.ts'
export { markdownFormat, reportMarker } from './markdown.ts'
export {
  parseReportText,
  readReportText,
  type TextBlock,
  type TextReport,
  type TextRow,
} from './parse-text.ts'
export { compactFormat, fullFormat } from './text.ts'
