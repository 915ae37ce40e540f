/** Names that were meant: the words for an unknown name, with the nearest known one. */

/** Longer texts are no typos of our names, and more candidates than this help nobody. */
const longestTypo = 48
const mostCandidates = 256
const mostListed = 12

/**
 * Edits (insert, delete, replace, swap neighbours) from `left` to `right`.
 * Optimal string alignment: F. Damerau, Communications of the ACM 7(3), 1964.
 */
const editDistance = (left: string, right: string): number => {
  let before: number[] = []
  let above = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1]
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? Number.POSITIVE_INFINITY) + 1)
      }
      current.push(cost)
    }
    before = above
    above = current
  }
  return above[right.length] ?? 0
}

/** The candidate nearest to `written`, if it is near enough to be what was meant; else null. */
export const nearestName = (written: string, candidates: readonly string[]): string | null => {
  if (written.length > longestTypo) return null
  const text = written.toLowerCase()
  const allowed = Math.floor(text.length / 3)
  let best: { readonly name: string; readonly distance: number } | null = null
  for (const name of candidates.slice(0, mostCandidates)) {
    if (Math.abs(name.length - text.length) > allowed) continue
    const distance = editDistance(text, name.toLowerCase())
    if (distance <= allowed && (best === null || distance < best.distance)) {
      best = { name, distance }
    }
  }
  return best?.name ?? null
}

/** `text` in double quotes on one line, shortened. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text)

const listed = (names: readonly string[]): string =>
  names.length > mostListed
    ? `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`
    : names.join(', ')

/** `unknown <what> "x"; did you mean "y"?`, or the known names where none is near. */
export const unknownName = (
  what: string,
  written: string,
  candidates: readonly string[],
): string => {
  const near = nearestName(written, candidates)
  if (near !== null) return `unknown ${what} ${quoted(written)}; did you mean "${near}"?`
  const known = candidates.length === 0 ? 'there is none here' : `known: ${listed(candidates)}`
  return `unknown ${what} ${quoted(written)}; ${known}`
}
