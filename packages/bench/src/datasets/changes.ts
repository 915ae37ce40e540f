/**
 * What a generated changeset changes: new files, edits, copies and removals on a line of work, and
 * the merged files of a merge. Contents are read back from the repository that is being written.
 */
import type { FileChange, RepositoryWriter } from '@assay/revlog'
import type { FileTree } from './file-tree.ts'
import type { SideLine } from './lines-of-work.ts'
import type { DatasetShape } from './shape.ts'
import type { TextSource } from './text-source.ts'

/** What changes are made of. */
export interface ChangeMaker {
  readonly shape: DatasetShape
  readonly source: TextSource
  readonly tree: FileTree
  readonly repository: RepositoryWriter
}

/** Where a changeset goes. */
export interface ChangePlace {
  readonly parent: number
  /** Undefined on the main line. */
  readonly line: SideLine | undefined
  /** The main line's number of the changeset, or of the last one there. */
  readonly sequence: number
}

/** One in this many new files is a copy of another. */
const COPY_ONE_IN = 20

/** A line of text has about this many bytes; a file of 12 medians is long. */
const LINE_BYTES = 40
const LONG_FILE_RATIO = 12

/** The changes of an ordinary changeset. */
export const ordinaryChanges = (maker: ChangeMaker, place: ChangePlace): readonly FileChange[] => {
  const { shape, source, tree } = maker
  if (shape.historyFiles === 0) return []
  if (place.parent === -1) {
    return Array.from({ length: shape.initialFiles }, () => addFile(maker, place))
  }
  const changes = new Map<string, FileChange>()
  const put = (change: FileChange | undefined): void => {
    if (change !== undefined && !changes.has(change.path)) changes.set(change.path, change)
  }
  const toInvent = (shape.historyFiles - shape.initialFiles) / shape.changesets
  const toRemove = (shape.historyFiles - shape.trackedFiles) / shape.changesets
  const adds = tree.everUsed < shape.historyFiles ? source.around(toInvent, 0) : 0
  for (let add = 0; add < adds; add += 1) put(addFile(maker, place))
  const edits = source.around(Math.max(0, shape.filesPerChangeset - toInvent), adds === 0 ? 1 : 0)
  for (let edit = 0; edit < edits; edit += 1) put(editFile(maker, place))
  if (place.line === undefined && source.random() < toRemove) put(removeFile(maker, place, changes))
  return [...changes.values()]
}

/** The changes by which a merge brings a side line into the main one. */
export const mergeChanges = (
  maker: ChangeMaker,
  merge: { readonly first: number; readonly line: SideLine; readonly sequence: number },
): readonly FileChange[] => {
  const { source, tree, repository, shape } = maker
  const { line, first, sequence } = merge
  const changes: FileChange[] = []
  for (const path of line.changed) {
    const isNew = !tree.everTracked(path)
    if (isNew || !tree.changedAfter(path, line.startedAt)) {
      changes.push({ kind: 'take-second', path })
    } else {
      const ours = repository.fileContent(first, path)
      // The main line removed it meanwhile: it stays removed.
      if (ours === undefined) continue
      changes.push(written(maker, path, source.edit(ours, longBytes(shape))))
    }
    if (isNew) tree.track(path, sequence)
    else tree.touch(path, sequence)
  }
  return changes
}

const addFile = (maker: ChangeMaker, place: ChangePlace): FileChange => {
  const { shape, source, tree, repository } = maker
  const path = tree.invent()
  const original = source.pick(COPY_ONE_IN) === 0 ? tree.choose() : undefined
  note(maker, place, path)
  const content =
    original === undefined ? undefined : repository.fileContent(place.parent, original)
  if (
    original !== undefined &&
    content !== undefined &&
    tree.flagOf(original) === tree.flagOf(path)
  ) {
    return { ...written(maker, path, content), copiedFrom: original }
  }
  return written(maker, path, source.file(shape.fileLines))
}

const editFile = (maker: ChangeMaker, place: ChangePlace): FileChange | undefined => {
  const { shape, source, tree, repository } = maker
  const path = tree.choose()
  const content = path === undefined ? undefined : repository.fileContent(place.parent, path)
  // An older line of work does not have every file of the main line.
  if (path === undefined || content === undefined) return undefined
  note(maker, place, path)
  return written(maker, path, source.edit(content, longBytes(shape)))
}

const removeFile = (
  { tree }: ChangeMaker,
  place: ChangePlace,
  others: ReadonlyMap<string, FileChange>,
): FileChange | undefined => {
  const path = tree.removeOne(place.sequence, (candidate) => !others.has(candidate))
  return path === undefined ? undefined : { kind: 'remove', path }
}

/** A write of a file with its flag; a link points at some name instead. */
const written = (
  { tree, source }: ChangeMaker,
  path: string,
  content: Uint8Array,
): FileChange & { readonly kind: 'write' } => {
  const flag = tree.flagOf(path)
  return {
    kind: 'write',
    path,
    content: flag === 'l' ? Buffer.from(`${source.word()}/${source.word()}`) : content,
    flag,
  }
}

const note = ({ tree }: ChangeMaker, { line, sequence }: ChangePlace, path: string): void => {
  if (line !== undefined) line.changed.add(path)
  else if (tree.everTracked(path)) tree.touch(path, sequence)
  else tree.track(path, sequence)
}

const longBytes = (shape: DatasetShape): number => shape.fileLines * LINE_BYTES * LONG_FILE_RATIO
