/**
 * What is wrong with a campaign and where: one line a person can act on, with a code that does not
 * change. Collected, never thrown, so that one reading shows everything; who prints is the caller.
 */

/** A fault at a place of a file. Lines and columns count from 1, columns in UTF-16 units. */
export interface Diagnostic {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Stable; for searching and for machines. */
  readonly code: string
  /** What is wrong and what would be right. */
  readonly message: string
}

/** More than this helps nobody; the rest is counted. */
const mostDiagnostics = 100

/** `file:line:column: message`, as editors and terminals link it. */
export const formatDiagnostic = (diagnostic: Diagnostic): string =>
  `${diagnostic.file}:${diagnostic.line}:${diagnostic.column}: ${diagnostic.message}`

/** Faults by offset in one text, turned into places at the end. */
export interface Faults {
  add(offset: number, code: string, message: string): void
  count(): number
  /** Sorted by place, the same place and message once. */
  list(): readonly Diagnostic[]
}

interface Fault {
  readonly offset: number
  readonly code: string
  readonly message: string
}

const lineStartsOf = (text: string): readonly number[] => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The place of `offset`: the last line that starts at or before it. */
const placeOf = (
  offset: number,
  starts: readonly number[],
): { readonly line: number; readonly column: number } => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}

/** A fresh collection of faults for `file`, whose text is `text`. */
export const collectFaults = (file: string, text: string): Faults => {
  const faults: Fault[] = []
  const list = (): readonly Diagnostic[] => {
    const starts = lineStartsOf(text)
    const unique = new Map(faults.map((fault) => [`${fault.offset} ${fault.message}`, fault]))
    const sorted = [...unique.values()].sort((left, right) => left.offset - right.offset)
    const shown = sorted
      .slice(0, mostDiagnostics)
      .map(({ offset, code, message }) => ({ file, ...placeOf(offset, starts), code, message }))
    const last = shown.at(-1)
    if (last === undefined || sorted.length === shown.length) return shown
    const rest = sorted.length - shown.length
    return [
      ...shown,
      { ...last, code: 'too-many-faults', message: `and ${rest} more; mend these first` },
    ]
  }
  return {
    add: (offset, code, message) => {
      faults.push({ offset, code, message })
    },
    count: () => faults.length,
    list,
  }
}
