/** What a report format is. One file per format, one line in the registry (`formats.ts`). */
import type { Report } from '@assay/model'
import type { HeadingStyle } from './headings.ts'

/** What a reader can choose; a format ignores what does not concern it. */
export interface RenderOptions {
  readonly style: HeadingStyle
  /** Changes smaller than this fraction are printed without their parenthesis. */
  readonly hideBelow: number
  /** Whether the verdicts follow the table. */
  readonly verdicts: boolean
}

/** Every heading, changes of at least 1 %, and the verdicts. */
export const defaultRenderOptions: RenderOptions = {
  style: 'full',
  hideBelow: 0.01,
  verdicts: true,
}

/** One way to print a report. */
export interface ReportFormat {
  /** As in `--format`. */
  readonly name: string
  /** As in `Accept` and `Content-Type`, without parameters. */
  readonly mediaType: string
  /** The report as text that ends in a newline; options left out have their defaults. */
  render(report: Report, options?: Partial<RenderOptions>): string
}
