/** One thing the doctor has to say about a host, in plain words. */

/**
 * `fine`: nothing to do. `advice`: could be better, or must be kept in mind. `warning`: numbers will
 * suffer. `unfit`: something cannot be measured here.
 */
export type Severity = 'fine' | 'advice' | 'warning' | 'unfit'

/** What was looked at and what came of it. */
export interface Finding {
  /** Stable name of what was looked at, e.g. `host-lock`. */
  readonly code: string
  readonly severity: Severity
  /** What was looked at, for people. */
  readonly subject: string
  /** What is the case. */
  readonly found: string
  /** What to do, where possible a line to type; empty where nothing is to be done. */
  readonly advice: string
}

/** A judgement of one subject: severity, what is the case, and what to do. */
export type Judgement = readonly [severity: Severity, found: string, advice?: string]

/** Names the subject of a judgement. */
export const finding = (
  code: string,
  subject: string,
  [severity, found, advice = '']: Judgement,
): Finding => ({ code, severity, subject, found, advice })
