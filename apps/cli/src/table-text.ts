/** Rows of text as a table for a terminal. */

/** Columns as wide as their widest value, two spaces apart, under their headings. */
export const tableText = (
  headings: readonly string[],
  values: readonly (readonly string[])[],
): string => {
  const rows = [headings, ...values]
  const widths = headings.map((_heading, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((value, column) => value.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return rows.map((row) => `${line(row)}\n`).join('')
}
