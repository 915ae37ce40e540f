/**
 * The shortest edit script between two short runs of lines: the greedy algorithm of E. W. Myers,
 * "An O(ND) Difference Algorithm and Its Variations" (1986), with a cap on its cost.
 */
import type { LineRange } from './match-lines.ts'

/** Beyond this many edits the lines count as changed: the cost grows with its square. */
const MAX_EDITS = 256

/** The lines of both texts by number, and where kept lines are noted (as `matchLines` gives them). */
export interface MyersInput {
  readonly aIds: Int32Array
  readonly bIds: Int32Array
  readonly kept: Int32Array
}

/** Notes in `kept` which lines of the range are kept; none when more than 256 edits are needed. */
export function matchByMyers(input: MyersInput, range: LineRange): void {
  const aLength = range.aTo - range.aFrom
  const bLength = range.bTo - range.bFrom
  const maxEdits = Math.min(MAX_EDITS, aLength + bLength)
  const middle = maxEdits + 1
  const furthest = new Int32Array(2 * middle + 1)
  const steps: Int32Array[] = []
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    // What the diagonals reached with one edit less, for the walk back.
    steps.push(furthest.slice(middle - edits, middle + edits + 1))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = furthest[middle + diagonal + 1] ?? 0
      const right = (furthest[middle + diagonal - 1] ?? 0) + 1
      let x = diagonal === -edits || (diagonal !== edits && right - 1 < down) ? down : right
      let y = x - diagonal
      while (x < aLength && y < bLength && sameLine(input, range.aFrom + x, range.bFrom + y)) {
        x += 1
        y += 1
      }
      furthest[middle + diagonal] = x
      if (x >= aLength && y >= bLength) {
        walkBack(input, range, steps)
        return
      }
    }
  }
}

function sameLine(input: MyersInput, a: number, b: number): boolean {
  return input.aIds[a] === input.bIds[b]
}

/** Follows the steps from the end to the start and notes each kept line. */
function walkBack(input: MyersInput, range: LineRange, steps: readonly Int32Array[]): void {
  let x = range.aTo - range.aFrom
  let y = range.bTo - range.bFrom
  for (let edits = steps.length - 1; edits > 0; edits -= 1) {
    const reached = steps[edits] ?? new Int32Array(0)
    const diagonal = x - y
    const down = reached[edits + diagonal + 1] ?? 0
    const right = reached[edits + diagonal - 1] ?? 0
    const wentDown = diagonal === -edits || (diagonal !== edits && right < down)
    const fromX = wentDown ? down : right
    const fromY = fromX - (wentDown ? diagonal + 1 : diagonal - 1)
    const snakeX = wentDown ? fromX : fromX + 1
    while (x > snakeX) {
      x -= 1
      y -= 1
      input.kept[range.bFrom + y] = range.aFrom + x
    }
    x = fromX
    y = fromY
  }
  while (x > 0 && y > 0) {
    x -= 1
    y -= 1
    input.kept[range.bFrom + y] = range.aFrom + x
  }
}
