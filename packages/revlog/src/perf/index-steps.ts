/**
 * The steps of perf::revlogindex: opening an index in the access mode of this run, and looking
 * revisions up in it, in the order and under the names of Mercurial's perf extension. Every look-up
 * step starts with a fresh index, as there.
 */
import type { AccessMode } from '../bytes/access.ts'
import {
  type ByteSource,
  type OpenByteSourceOptions,
  openByteSource,
} from '../bytes/byte-source.ts'
import { NODE_SIZE } from '../format/constants.ts'
import { nodeTable } from '../reader/node-table.ts'
import { openRevlog } from '../reader/open-revlog.ts'
import { type RevlogIndex, readIndex } from '../reader/revlog-index.ts'
import type { PerfStep } from './step.ts'

/** Which index, and how it is opened. */
export interface IndexStepsOptions extends OpenByteSourceOptions {
  readonly indexPath: string
}

/** A node that no revision has. */
const MISSING_NODE = new Uint8Array(NODE_SIZE).fill(0x0b)

/**
 * Where a second thread populates, a mapping is given back only when that is known to be over, which
 * it never is while steps run; and no more than 256 such calls may wait (koffi). Two steps map.
 */
const MAX_POPULATING_RUNS = 100

/** How often a step that opens an index may run in an access mode; undefined: without limit. */
export function maxOpeningRuns(mode: AccessMode): number | undefined {
  return mode === 'mmap-populate-thread' ? MAX_POPULATING_RUNS : undefined
}

/** The steps over one index, and close() for what they share. */
export function indexSteps(options: IndexStepsOptions): {
  readonly steps: PerfStep[]
  readonly close: () => void
} {
  const { indexPath, ...access } = options
  const source = openByteSource(indexPath, access)
  const fresh = (): RevlogIndex => readIndex(shared(source), indexPath)
  const known = fresh()
  const forward = Array.from({ length: known.length }, (_, rev) => rev)
  const maxRuns = maxOpeningRuns(options.mode)
  const limit = maxRuns === undefined ? {} : { maxRuns }
  const steps = [
    { title: 'revlog constructor', run: () => openRevlog({ ...options }).close(), ...limit },
    { title: 'read', run: () => openByteSource(indexPath, access).close(), ...limit },
    { title: 'create index object', run: fresh },
    { title: 'retrieve index entry for rev 0', run: () => fresh().entry(0) },
    ...lookUpSteps(known, fresh),
    ...walkSteps(forward, (revs, times) => lookUpAll({ known, index: fresh() }, revs, times)),
    ...entrySteps(forward, (revs, times) => entriesOf(fresh(), revs, times)),
  ]
  return { steps, close: () => source.close() }
}

/** The bytes for an index that is dropped without closing: they stay with whoever opened them. */
function shared(source: ByteSource): ByteSource {
  return { ...source, bytes: () => source.bytes(), close: () => undefined }
}

function lookUpSteps(known: RevlogIndex, fresh: () => RevlogIndex): PerfStep[] {
  const at = (title: string, node: Uint8Array): PerfStep => ({
    title,
    run: () => nodeTable(fresh()).find(node),
  })
  const { length } = known
  return [
    at('look up missing node', MISSING_NODE),
    at('look up node at rev 0', known.node(0)),
    at('look up node at 1/4 len', known.node(Math.floor(length / 4))),
    at('look up node at 1/2 len', known.node(Math.floor(length / 2))),
    at('look up node at 3/4 len', known.node(Math.floor(length / 4) * 3)),
    at('look up node at tip', known.node(length - 1)),
  ]
}

type Walk = (revs: readonly number[], times: number) => void

function walkSteps(forward: readonly number[], walk: Walk): PerfStep[] {
  return directions(forward, walk, (times, direction) => `look up all nodes${times} (${direction})`)
}

function entrySteps(forward: readonly number[], walk: Walk): PerfStep[] {
  const title = (times: string, direction: string): string =>
    `retrieve all index entries${times} (${direction})`
  return directions(forward, walk, title)
}

function directions(
  forward: readonly number[],
  walk: Walk,
  title: (times: string, direction: string) => string,
): PerfStep[] {
  const reverse = forward.toReversed()
  return [
    { title: title('', 'forward'), run: () => walk(forward, 1) },
    { title: title(' 2x', 'forward'), run: () => walk(forward, 2) },
    { title: title('', 'reverse'), run: () => walk(reverse, 1) },
    { title: title(' 2x', 'reverse'), run: () => walk(reverse, 2) },
  ]
}

function lookUpAll(
  { known, index }: { readonly known: RevlogIndex; readonly index: RevlogIndex },
  revs: readonly number[],
  times: number,
): void {
  const table = nodeTable(index)
  const node = new Uint8Array(NODE_SIZE)
  for (let time = 0; time < times; time++) {
    for (const rev of revs) {
      known.copyNode(rev, node, 0)
      table.find(node)
    }
  }
}

function entriesOf(index: RevlogIndex, revs: readonly number[], times: number): void {
  for (let time = 0; time < times; time++) for (const rev of revs) index.entry(rev)
}
