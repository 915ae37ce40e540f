/** The face of deltas: making one and applying them. */
export { applyDeltas, applyDeltasInTurn, HUNK_HEAD_BYTES, maxDeltaBytes } from './apply-deltas.ts'
export { commonPrefixLength } from './common-ends.ts'
export { computeDelta } from './compute-delta.ts'
export { diffHunks, type Hunk } from './diff-hunks.ts'
