/** The face of deltas: making one and applying them. */
export { applyDeltas, maxDeltaBytes } from './apply-deltas.ts'
export { computeDelta } from './compute-delta.ts'
