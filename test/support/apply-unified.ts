/**
 * Applies unified hunks as strictly as can be: every context and removed line must be there, at the
 * place that the hunk's head names, and every count must be right.
 */

/** The text after the hunks. Throws where a hunk does not fit. Texts are byte strings. */
export function applyUnified(before: string, hunks: string): string {
  const old = linesOf(before)
  const patch = linesOf(hunks)
  const result: string[] = []
  let oldAt = 0
  let at = 0
  while (at < patch.length) {
    const head = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n$/.exec(patch[at++] ?? '')
    if (head === null) throw new Error(`no hunk head at line ${at}: ${patch[at - 1]}`)
    const [aStart = 0, aCount = 0, bStart = 0, bCount = 0] = head.slice(1).map(Number)
    const start = aCount === 0 ? aStart : aStart - 1
    if (start < oldAt) throw new Error('hunks overlap')
    result.push(...old.slice(oldAt, start))
    oldAt = start
    if (result.length !== (bCount === 0 ? bStart : bStart - 1)) throw new Error('wrong new start')
    let [aLeft, bLeft] = [aCount, bCount]
    while (aLeft > 0 || bLeft > 0) {
      let line = patch[at++] ?? ''
      const [mark] = line
      if (patch[at]?.startsWith('\\ ') === true) {
        at++
        line = line.slice(0, -1)
      }
      const content = line.slice(1)
      if (mark !== '+') {
        if (old[oldAt] !== content) throw new Error(`line ${oldAt} is not ${JSON.stringify(line)}`)
        oldAt++
        aLeft--
      }
      if (mark !== '-') {
        result.push(content)
        bLeft--
      }
      if (mark !== '+' && mark !== '-' && mark !== ' ') throw new Error(`mark ${mark}`)
    }
    if (aLeft !== 0 || bLeft !== 0) throw new Error('wrong counts')
  }
  return [...result, ...old.slice(oldAt)].join('')
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
