/**
 * What a change of a repository is told in, in Mercurial's words: the line about a changegroup, the
 * new changesets with their phases, what to do next. Saying it is left to the commands.
 */
import type { AppliedBundle } from './apply-bundle.ts'
import type { AppliedChangegroup } from './apply-changegroup.ts'
import { openBranchHeads, workingBranch } from './branch-heads.ts'
import type { StoreUpdate } from './store-update.ts'

/** The line about one changegroup; `heads`: new heads less ended ones. */
export function changegroupSummary(applied: AppliedChangegroup, heads: number): string {
  const { addedChangesets, addedFileRevisions, files } = applied
  const sign = heads > 0 ? '+' : ''
  const change = heads === 0 ? '' : ` (${sign}${heads} heads)`
  return `added ${addedChangesets} changesets with ${addedFileRevisions} changes to ${files} files${change}`
}

/** Lines about the changesets that are new and those that became public. */
export function newChangesetsLines(
  { changelog, phases }: StoreUpdate,
  { firstNewRev, published }: Pick<AppliedBundle, 'firstNewRev' | 'published'>,
): string[] {
  const { index } = changelog
  const lines: string[] = []
  if (index.length > firstNewRev) {
    const short = (rev: number) => Buffer.from(index.node(rev)).toString('hex', 0, 6)
    const last = index.length - 1
    const range = last === firstNewRev ? short(last) : `${short(firstNewRev)}:${short(last)}`
    const counts = [
      [1, 'drafts'],
      [2, 'secrets'],
    ] as const
    const phaseCounts = counts
      .map(([phase, name]) => ({
        name,
        count: countPhase((rev) => phases.phaseOf(rev), { firstNewRev, last, phase }),
      }))
      .filter(({ count }) => count > 0)
      .map(({ name, count }) => `${count} ${name}`)
    lines.push(
      `new changesets ${range}${phaseCounts.length === 0 ? '' : ` (${phaseCounts.join(', ')})`}`,
    )
  }
  if (published > 0) lines.push(`${published} local changesets published`)
  return lines
}

function countPhase(
  phaseOf: (rev: number) => number,
  { firstNewRev, last, phase }: { firstNewRev: number; last: number; phase: number },
): number {
  let count = 0
  for (let rev = firstNewRev; rev <= last; rev++) if (phaseOf(rev) === phase) count += 1
  return count
}

/** The advice that ends a command which added changesets. */
export function nextStepAdvice(update: StoreUpdate, headDifferences: readonly number[]): string {
  const difference = headDifferences.reduce((sum, one) => sum + one, 0)
  if (difference <= 0) return "(run 'hg update' to get a working copy)"
  const onBranch = openBranchHeads(update, workingBranch(update))
  if (onBranch === difference + 1) return "(run 'hg heads' to see heads, 'hg merge' to merge)"
  if (onBranch > 1) return "(run 'hg heads .' to see heads, 'hg merge' to merge)"
  return "(run 'hg heads' to see heads)"
}
