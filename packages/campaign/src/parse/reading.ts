/** What every reader of a section works with. */
import type { Catalogue } from '@assay/model'
import type { Faults } from '../diagnostic.ts'
import type { LocatedNode } from '../source/located-node.ts'

export interface Reading {
  readonly catalogue: Catalogue
  readonly faults: Faults
  readonly root: LocatedNode
}

/** Keys that selections and comparisons use beside parameters. */
export const reservedFactors = [
  'mode',
  'benchmark',
  'dataset',
  'engine',
  'flavor',
  'command',
] as const

/** The factor whose levels are whole commands. */
export const commandFactor = 'command'

/**
 * What Mercurial does by default since 6.9: map large indexes and populate the mapping in a second
 * thread (change b619ba39d10a).
 */
export const defaultMode = 'mmap-populate-thread'
