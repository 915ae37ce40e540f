/** The doctor: whether this host is fit to measure on, and what to do where it is not. */
import type { Finding } from './finding.ts'
import { type HostFacts, type HostFactsOptions, readHostFacts } from './host-facts.ts'
import { judgeProcessors } from './judge-processors.ts'
import { judgeSurroundings } from './judge-surroundings.ts'

/** Judges facts: pure. One finding for each subject, also for those that are fine. */
export const judgeHost = (facts: HostFacts): readonly Finding[] => [
  ...judgeSurroundings(facts),
  ...judgeProcessors(facts),
]

/**
 * Looks at the host as it is now, without disturbing who measures on it. Throws `host-unreadable`
 * where there is no /proc.
 */
export const examineHost = (options: HostFactsOptions): readonly Finding[] =>
  judgeHost(readHostFacts(options))
