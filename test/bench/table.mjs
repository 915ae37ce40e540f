/** Numbers and tables for the bench programs: medians, and columns as wide as their widest value. */

/** Median of a list; the mean of the middle two where there is no middle one. */
export const median = (values) => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Prints rows under headings, numbers as given. */
export const printTable = (headings, rows) => {
  const all = [headings, ...rows.map((row) => row.map(String))]
  const widths = headings.map((_heading, column) =>
    Math.max(...all.map((row) => row[column].length)),
  )
  for (const row of all) {
    console.log(
      row
        .map((value, column) => value.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
  }
}

/** Calls `once(item)` for every item in each of `rounds` rounds, in a fresh random order each. */
export const interleave = async (items, rounds, once) => {
  for (let round = 0; round < rounds; round += 1) {
    const order = items.map((item) => ({ item, key: Math.random() })).sort((a, b) => a.key - b.key)
    for (const { item } of order) await once(item, round)
  }
}
