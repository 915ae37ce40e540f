/** What a report format is. One file per format, one line in the registry (`formats.ts`). */
import type { Report, RoundConditions, StoredSample } from '@assay/model'
import type { HeadingStyle } from './headings.ts'

/** What a reader can choose; a format ignores what does not concern it. */
export interface RenderOptions {
  readonly style: HeadingStyle
  /** Changes smaller than this fraction are printed without their parenthesis. */
  readonly hideBelow: number
  /** Whether the verdicts follow the table. */
  readonly verdicts: boolean
  /** The largest text in bytes of UTF-8, for formats that are posted where space is limited. */
  readonly maxBytes: number
}

/** Every heading, changes of at least 1 %, the verdicts, and what fits a comment on GitHub (65,536). */
export const defaultRenderOptions: RenderOptions = {
  style: 'full',
  hideBelow: 0.01,
  verdicts: true,
  maxBytes: 60_000,
}

/** What a format may show beside the report; the caller reads it from where it is kept. */
export interface ReportDetails {
  /** Every sample of the run, of all takes and with warmups, in any order. */
  readonly samples: readonly StoredSample[]
  /** What the host was like in each judged round; left out where nobody recorded it. */
  readonly conditions?: readonly RoundConditions[]
}

/** One way to print a report. */
export interface ReportFormat {
  /** As in `--format`. */
  readonly name: string
  /** As in `Accept` and `Content-Type`, without parameters. */
  readonly mediaType: string
  /** Whether `details` belong to it: a caller who can read the samples hands them in. */
  readonly needsSamples: boolean
  /** Whether reports of several metrics may simply follow one another. */
  readonly joins: boolean
  /**
   * The report as text that ends in a newline; options left out have their defaults. Without
   * details, a format that needs samples says so in its text, or throws `report-samples-missing`.
   */
  render(
    report: Report,
    options?: Partial<RenderOptions>,
    details?: ReportDetails | undefined,
  ): string
}
