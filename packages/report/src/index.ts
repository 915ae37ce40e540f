/** A judged run in, text out: one file per format, and the reader of the text format. Pure. */
export type { TextFault } from './errors.ts'
export { defaultRenderOptions, type RenderOptions, type ReportFormat } from './format.ts'
export { formats, renderReport } from './formats.ts'
export type { HeadingStyle } from './headings.ts'
export { jsonFormat, reportJsonSchema } from './json.ts'
export { markdownFormat } from './markdown.ts'
export {
  parseReportText,
  readReportText,
  type TextBlock,
  type TextReport,
  type TextRow,
} from './parse-text.ts'
export { compactFormat, fullFormat, textFormat } from './text.ts'
