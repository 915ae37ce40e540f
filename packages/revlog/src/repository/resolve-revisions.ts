/**
 * From what a person writes for revisions to revision numbers: numbers, nodes and their prefixes,
 * tip, null, `.`, tags, bookmarks, branches, and revset expressions over them, which revset/ parses
 * and evaluates. What is not understood is refused, and never taken for something else.
 */
import { RevlogError } from '../errors.ts'
import { utf8ByteString } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import { findPrefix } from '../reader/find-prefix.ts'
import type { Revlog } from '../reader/revlog.ts'
import { evaluate } from '../revset/evaluate.ts'
import { parseRevset } from '../revset/parse.ts'
import { readBookmarkNodes, workingParent } from './names.ts'
import type { Repository } from './open.ts'
import { readTagNodes } from './tags.ts'

/**
 * The revisions that a specification names, in its order. Throws `unknown-revision`,
 * `ambiguous-prefix`, `parse-error`, or `unsupported` for revset functions that are not there.
 */
export function resolveRevisions(repository: Repository, spec: string): number[] {
  const text = spec.trim()
  if (text === '') throw new RevlogError('usage', 'a revision must not be empty')
  const last = /^last\(all\(\),\s*(\d+)\)$/.exec(text)
  if (last !== null) {
    const { length } = repository.changelog
    return ascending(Math.max(0, length - Number(last[1])), length)
  }
  const single = tryResolve(repository, text, isPlainName(text))
  if (single !== undefined) return [single]
  const range = namedRange(repository, text)
  if (range !== undefined) return range
  const tree = parseRevset(spec, (name) => tryResolve(repository, name) !== undefined)
  return [...evaluate({ repository, resolve: (name) => resolveOne(repository, name) }, tree)]
}

/** `A:B` of names as they stand: those may have in them what means something in an expression. */
function namedRange(repository: Repository, text: string): number[] | undefined {
  const [, from = '', to = ''] = /^([^:]+):([^:]+)$/.exec(text) ?? []
  if (from === '' || !/[^\w.@$/\u0080-\uffff]/.test(from + to)) return undefined
  const [start, end] = [from.trim(), to.trim()].map((name) =>
    tryResolve(repository, name, isPlainName(name)),
  )
  if (start === undefined || end === undefined) return undefined
  return start <= end ? ascending(start, end + 1) : ascending(end, start + 1).reverse()
}

/** One revision of changelog or manifest by number, node or unique prefix, as debug commands take it. */
export function resolveInRevlog(revlog: Revlog, text: string): number | undefined {
  const rev = resolveWhole(revlog, text)
  if (rev !== undefined) return rev
  return /^[0-9a-f]{1,39}$/.test(text) ? resolvePrefix(revlog, text) : undefined
}

/** One revision of a file's revlog: there, as in Mercurial, a prefix of a node is none. */
export function resolveWhole(revlog: Revlog, text: string): number | undefined {
  if (text === 'tip') return revlog.length - 1
  if (text === 'null') return NULL_REV
  return (
    resolveNumber(revlog, text) ?? (/^[0-9a-f]{40}$/.test(text) ? revOf(revlog, text) : undefined)
  )
}

function ascending(start: number, beyond: number): number[] {
  return Array.from({ length: Math.max(0, beyond - start) }, (_, i) => start + i)
}

function resolveOne(repository: Repository, text: string): number {
  const rev = tryResolve(repository, text)
  if (rev === undefined) throw notFound(text)
  return rev
}

/** Mercurial's order: special names, numbers, full nodes, names, prefixes. */
function tryResolve(repository: Repository, text: string, branches = true): number | undefined {
  const { changelog } = repository
  if (text === '.') return workingParent(repository)
  if (text === 'tip') return changelog.length - 1
  if (text === 'null') return NULL_REV
  const numbered = resolveNumber(changelog, text)
  if (numbered !== undefined) return numbered
  const isHex = /^[0-9a-f]{1,40}$/.test(text)
  if (isHex && text.length === 40) return revOf(changelog, text)
  const name = utf8ByteString(text)
  const named =
    revOf(changelog, readBookmarkNodes(repository).get(name)) ??
    revOf(changelog, readTagNodes(repository).get(name))
  if (named !== undefined) return named
  // A branch that could be a prefix is looked for only if Mercurial's cache lists it.
  if (branches && (!isHex || isCachedBranch(repository, name))) {
    const tip = branchTip(repository, name)
    if (tip !== undefined) return tip
  }
  return isHex ? resolvePrefix(changelog, text) : undefined
}

function revOf(revlog: Revlog, nodeHex: string | undefined): number | undefined {
  return nodeHex === undefined ? undefined : revlog.findRev(Buffer.from(nodeHex, 'hex'))
}

function resolveNumber(revlog: Revlog, text: string): number | undefined {
  if (!/^(?:0|-?[1-9]\d*)$/.test(text)) return undefined
  const number = Number(text)
  const rev = number < 0 ? revlog.length + number : number
  return rev >= 0 && rev < revlog.length ? rev : undefined
}

function resolvePrefix({ index }: Revlog, prefix: string): number | undefined {
  const found = findPrefix(index, prefix)
  if (found !== 'several') return found
  throw new RevlogError('ambiguous-prefix', `${index.name}@${prefix}: ambiguous identifier`)
}

/** Whether a cache of Mercurial's lists the branch. */
function isCachedBranch(repository: Repository, name: string): boolean {
  return ['cache/rbc-names-v1', 'cache/rbc-names-v2'].some((cache) =>
    repository.metaFile(cache)?.toString('latin1').split('\0').includes(name),
  )
}

/** False for what is an expression as likely: no branch is looked for then, which costs a pass. */
function isPlainName(text: string): boolean {
  return !/[()|&!^~:,"'+%#\s]/.test(text)
}

/** The branch's newest open head, or its newest closed one; undefined if there is no such branch. */
function branchTip(repository: Repository, name: string): number | undefined {
  const { index, length } = repository.changelog
  const { branches } = repository
  const parents = new Set<number>()
  let closed: number | undefined
  for (let rev = length - 1; rev >= 0; rev--) {
    const { branch, closes } = branches.branchOf(rev)
    if (branch !== name) continue
    if (!parents.has(rev)) {
      if (!closes) return rev
      closed ??= rev
    }
    parents.add(index.p1(rev)).add(index.p2(rev))
  }
  return closed
}

function notFound(text: string): RevlogError {
  // Mercurial's stand-ins for the working directory: a node of ones and the largest number.
  if (/^(?:f+|2147483647)$/.test(text)) {
    return new RevlogError('unsupported', `'${text}' is the working directory: not supported yet`)
  }
  return new RevlogError('unknown-revision', `unknown revision '${text}'`)
}
