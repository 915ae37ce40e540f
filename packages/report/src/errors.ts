/** Errors of printing and reading reports. */
import { AssayError } from '@assay/model'

/** A line of a printed report that cannot be read, with its number from 1. */
export interface TextFault {
  readonly line: number
  readonly text: string
  readonly problem: string
}

/** `report-text-garbled`: `file` holds rows that cannot be read; every one is named by its place. */
export const garbledText = (file: string, faults: readonly TextFault[]): AssayError =>
  new AssayError({
    code: 'report-text-garbled',
    kind: 'usage',
    message: `${faults
      .map(({ line, text, problem }) => `${file}:${line}: ${problem}: ${text}`)
      .join('\n')}\nCorrect or remove ${faults.length === 1 ? 'that line' : 'those lines'}.`,
    details: { faults },
  })

/** `report-format-unknown`: no format of that name is registered. */
export const unknownFormat = (name: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'report-format-unknown',
    kind: 'usage',
    message: `no report format '${name}'; choose one of ${known.join(', ')}.`,
    details: { name, known },
  })

/** `report-samples-missing`: the format prints samples, and the caller handed none in. */
export const samplesMissing = (format: string): AssayError =>
  new AssayError({
    code: 'report-samples-missing',
    kind: 'usage',
    message: `the format '${format}' prints samples, and none were handed in; choose another format.`,
    details: { format },
  })
