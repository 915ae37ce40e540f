/**
 * The functions of revset expressions, one entry each. Sources: `hg help revsets`, and results
 * compared with those of Mercurial 6.3.
 */
import { utf8ByteString } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { Repository } from '../repository/open.ts'
import { phaseLookup } from '../repository/phases.ts'
import {
  ancestorsOf,
  ascending,
  childrenOf,
  descendantsOf,
  headsOf,
  parentsOf,
  rootsOf,
} from './graph.ts'
import { parseError } from './tokenize.ts'

/** What a function is called with. */
export interface RevsetCall {
  readonly repository: Repository
  readonly all: () => readonly number[]
  /** The revisions of an argument; all of them where it is left out. */
  readonly set: (at: number) => readonly number[]
  /** Whether an argument was given. */
  readonly has: (at: number) => boolean
  /** An argument as the word that was written, if it is one. */
  readonly text: (at: number) => string | undefined
}

/** A function of the language. */
export interface RevsetFunction {
  /** The number of its arguments, and Mercurial's words where there are more or fewer. */
  readonly least: number
  readonly most: number
  readonly arity: string
  readonly run: (call: RevsetCall) => readonly number[]
}

type Run = RevsetFunction['run']

const none = (run: Run): RevsetFunction => ({ least: 0, most: 0, arity: 'takes no arguments', run })
const one = (run: Run): RevsetFunction => ({ least: 1, most: 1, arity: 'takes one argument', run })
const counted = (run: Run): RevsetFunction => ({
  least: 1,
  most: 2,
  arity: 'requires one or two arguments',
  run,
})
const inPhase = (number: number): RevsetFunction =>
  none(({ repository, all }) => {
    const { phaseOf } = phaseLookup(repository)
    return all().filter((rev) => phaseOf(rev) === number)
  })
const first = counted((call) => call.set(0).slice(0, countOf(call, 'first')))

/** All functions by name. */
export const REVSET_FUNCTIONS: ReadonlyMap<string, RevsetFunction> = new Map([
  ['all', none(({ all }) => all())],
  ['ancestors', one((call) => ancestorsOf(indexOf(call), call.set(0)))],
  ['branch', one(ofBranch)],
  ['children', one((call) => childrenOf(indexOf(call), call.set(0)))],
  ['closed', none(({ repository, all }) => all().filter((rev) => isClosed(repository, rev)))],
  ['descendants', one((call) => descendantsOf(indexOf(call), call.set(0)))],
  ['draft', inPhase(1)],
  ['first', first],
  ['heads', one((call) => headsOf(indexOf(call), call.set(0)))],
  ['last', counted((call) => lastOf(call.set(0), countOf(call, 'last')))],
  ['limit', first],
  [
    'max',
    one((call) => call.set(0).reduce<number[]>(([best], rev) => [Math.max(best ?? rev, rev)], [])),
  ],
  ['merge', none((call) => call.all().filter((rev) => parentsOf(indexOf(call), rev).length > 1))],
  [
    'min',
    one((call) => call.set(0).reduce<number[]>(([best], rev) => [Math.min(best ?? rev, rev)], [])),
  ],
  ['only', { least: 1, most: 2, arity: 'takes one or two arguments', run: only }],
  ['p1', one((call) => parentsAt(call, 'p1'))],
  ['p2', one((call) => parentsAt(call, 'p2'))],
  [
    'parents',
    one((call) => ascending(call.set(0).flatMap((rev) => parentsOf(indexOf(call), rev)))),
  ],
  ['public', inPhase(0)],
  ['reverse', one((call) => [...call.set(0)].reverse())],
  ['roots', one((call) => rootsOf(indexOf(call), call.set(0)))],
  ['secret', inPhase(2)],
])

function indexOf({ repository }: RevsetCall) {
  return repository.changelog.index
}

function countOf(call: RevsetCall, name: string): number {
  if (!call.has(1)) return 1
  const text = call.text(1)
  if (text === undefined || !/^-?\d{1,15}$/.test(text)) throw parseError(`${name} expects a number`)
  if (Number(text) < 0) throw parseError('negative number to select')
  return Number(text)
}

function lastOf(revs: readonly number[], count: number): readonly number[] {
  return count === 0 ? [] : revs.slice(-count)
}

/** Ancestors of the first set that are none of the second's; of all other heads without one. */
function only(call: RevsetCall): readonly number[] {
  const index = indexOf(call)
  const wanted = call.set(0)
  const own = new Set(wanted)
  const below = new Set(descendantsOf(index, wanted))
  const others = call.has(1)
    ? call.set(1)
    : headsOf(index, call.all()).filter((rev) => !own.has(rev) && !below.has(rev))
  const known = new Set(ancestorsOf(index, others))
  return ancestorsOf(index, wanted).filter((rev) => !known.has(rev))
}

function parentsAt(call: RevsetCall, which: 'p1' | 'p2'): readonly number[] {
  const index = indexOf(call)
  const parents = call.set(0).map((rev) => (rev === NULL_REV ? NULL_REV : index[which](rev)))
  return ascending(parents.filter((parent) => parent !== NULL_REV))
}

function isClosed(repository: Repository, rev: number): boolean {
  return repository.branches.branchOf(rev).closes
}

/** Changesets of the branch of that name or, where it is none, of the revisions' branches. */
function ofBranch(call: RevsetCall): readonly number[] {
  const { repository, all } = call
  const branches = all().map((rev) => repository.branches.branchOf(rev).branch)
  const name = utf8ByteString(call.text(0) ?? '')
  const named = branches.includes(name)
  const wanted = new Set(named ? [name] : call.set(0).map((rev) => branches[rev] ?? ''))
  return all().filter((rev) => wanted.has(branches[rev] ?? ''))
}
