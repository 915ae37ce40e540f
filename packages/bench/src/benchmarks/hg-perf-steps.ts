/** `hg.perf.*` beside revlogchunks: Mercurial's perf commands on indexes, revisions and writing. */
import type { ParameterDeclaration } from '@assay/model'
import type { Benchmark } from './benchmark.ts'
import {
  count,
  issue6528,
  protocol,
  reuseExternalDeltaParent,
  revision,
  revlog,
  revs,
} from './parameters.ts'

const perf = (
  name: string,
  summary: string,
  parameters: readonly ParameterDeclaration[],
): Benchmark => ({
  ...{ name: `hg.perf.${name}`, version: 1, summary, parameters },
  needsDataset: true,
  mutatesRepository: false,
  needsRemote: false,
})

const oneRevision = revision('rev', 'the revision that is looked up', {
  wanted: 'tip, a revision number or a hash',
  fallback: 'tip',
})

/** Opening an index, and looking revisions up in it. */
export const hgPerfRevlogindex = perf(
  'revlogindex',
  'open an index and look revisions up in it, one metric a step',
  [revlog],
)

/** What building one text is made of. */
export const hgPerfRevlogrevision = perf(
  'revlogrevision',
  'build the text of one revision, one metric a step',
  [revlog, { ...oneRevision, summary: 'the revision whose text is built' }],
)

/** Building many texts. */
export const hgPerfRevlogrevisions = perf(
  'revlogrevisions',
  'build the texts of a series of revisions',
  [revlog, count('dist', 'of every so many revisions one')],
)

/** Appending revisions. */
export const hgPerfRevlogwrite = perf(
  'revlogwrite',
  'append revisions to a copy of a revlog that lacks them, one metric a rank',
  [revlog, count('startrev', 'the first revision that is written')],
)

/** Opening the changelog's index. */
export const hgPerfIndex = perf(
  'index',
  "open the changelog's index and look a revision up by its node",
  [oneRevision],
)

/** Looking nodes up. */
export const hgPerfNodemap = perf('nodemap', 'look a revision up by its node', [oneRevision])

/** Applying a bundle, without the end of the transaction. Writes, and puts everything back. */
export const hgPerfUnbundle: Benchmark = {
  ...perf('unbundle', 'add the revisions of a bundle, without the end of the transaction', [
    ...[issue6528, reuseExternalDeltaParent, revs],
  ]),
  mutatesRepository: true,
  lacking: 'dataset',
}

/** Comparing two histories. */
export const hgPerfDiscovery: Benchmark = {
  ...perf('discovery', 'find out what another repository lacks', [protocol, revs]),
  needsRemote: true,
  lacking: 'remote',
}
