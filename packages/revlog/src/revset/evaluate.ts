/**
 * The revisions of a revset expression, in the order in which Mercurial gives them: `or` lists its
 * sides one after the other, `and` and `-` keep the order of their left side. Functions are entries in
 * functions.ts.
 */
import { RevlogError } from '../errors.ts'
import type { Repository } from '../repository/open.ts'
import { REVSET_FUNCTIONS } from './functions.ts'
import { ancestorsOf, betweenOf, descendantsOf, parentsOf } from './graph.ts'
import type { BinaryOperator, Revset } from './parse.ts'
import { parseError } from './tokenize.ts'

/** What an expression is evaluated in. */
export interface RevsetContext {
  readonly repository: Repository
  /** The revision of a name, number or prefix. Throws `unknown-revision`. */
  readonly resolve: (text: string) => number
}

/** Evaluates an expression. Throws `parse-error`, `unsupported`, and what `resolve` throws. */
export function evaluate(context: RevsetContext, tree: Revset): readonly number[] {
  switch (tree.kind) {
    case 'symbol':
      return [context.resolve(tree.text)]
    case 'not': {
      const without = new Set(evaluate(context, tree.of))
      return allRevs(context).filter((rev) => !without.has(rev))
    }
    case 'range':
      return evaluateRange(context, tree)
    case 'binary':
      return evaluateBinary(context, tree)
    case 'call':
      return evaluateCall(context, tree)
  }
}

function allRevs({ repository }: RevsetContext): number[] {
  return Array.from({ length: repository.changelog.length }, (_, rev) => rev)
}

function evaluateRange(
  context: RevsetContext,
  { operator, from, to }: Revset & { readonly kind: 'range' },
): readonly number[] {
  const { index, length } = context.repository.changelog
  const first = from === undefined ? undefined : evaluate(context, from)
  const last = to === undefined ? undefined : evaluate(context, to)
  if (operator === '::') {
    if (first === undefined) return ancestorsOf(index, last ?? [])
    return last === undefined ? descendantsOf(index, first) : betweenOf(index, first, last)
  }
  const start = first === undefined ? 0 : first[0]
  const end = last === undefined ? length - 1 : last.at(-1)
  if (start === undefined || end === undefined || length === 0) return []
  const step = start <= end ? 1 : -1
  return Array.from({ length: Math.abs(end - start) + 1 }, (_, i) => start + i * step)
}

function evaluateBinary(
  context: RevsetContext,
  { operator, left, right }: Revset & { readonly kind: 'binary' },
): readonly number[] {
  const revs = evaluate(context, left)
  if (operator === '^' || operator === '~') return relatives(context, { operator, revs, right })
  const others = evaluate(context, right)
  const inOthers = new Set(others)
  if (operator === 'or') return [...new Set([...revs, ...others])]
  if (operator === 'and') return revs.filter((rev) => inOthers.has(rev))
  if (operator === '-') return revs.filter((rev) => !inOthers.has(rev))
  const { index } = context.repository.changelog
  const known = new Set(ancestorsOf(index, others))
  return ancestorsOf(index, revs).filter((rev) => !known.has(rev))
}

interface RelativeOf {
  readonly operator: BinaryOperator
  readonly revs: readonly number[]
  readonly right: Revset
}

/** `x^n`, the n-th parent, and `x~n`, the n-th ancestor along first parents. */
function relatives({ repository }: RevsetContext, { operator, revs, right }: RelativeOf): number[] {
  const { index } = repository.changelog
  const text = right.kind === 'symbol' ? right.text : ''
  if (!/^\d{1,9}$/.test(text)) {
    throw parseError(operator === '^' ? '^ expects a number 0, 1, or 2' : '~ expects a number')
  }
  const count = Number(text)
  if (operator === '^' && count > 2) throw parseError('^ expects a number 0, 1, or 2')
  const found = revs.flatMap((rev): readonly number[] => {
    if (operator === '^') {
      if (count === 0) return [rev]
      const parent = rev < 0 ? -1 : count === 1 ? index.p1(rev) : index.p2(rev)
      return parent < 0 ? [] : [parent]
    }
    let at: number | undefined = rev
    for (let i = 0; i < count && at !== undefined; i++) at = parentsOf(index, at)[0]
    return at === undefined ? [] : [at]
  })
  return [...new Set(found)].sort((a, b) => a - b)
}

function evaluateCall(
  context: RevsetContext,
  { name, args }: Revset & { readonly kind: 'call' },
): readonly number[] {
  const entry = REVSET_FUNCTIONS.get(name)
  if (entry === undefined) {
    throw new RevlogError(
      'unsupported',
      `the revset function '${name}' is not supported yet: there are ${[...REVSET_FUNCTIONS.keys()].join(', ')}`,
    )
  }
  if (args.length < entry.least || args.length > entry.most) {
    throw parseError(`${name} ${entry.arity}`)
  }
  return entry.run({
    repository: context.repository,
    all: () => allRevs(context),
    set: (at) => evaluate(context, args[at] ?? { kind: 'call', name: 'all', args: [] }),
    has: (at) => args[at] !== undefined,
    text(at) {
      const argument = args[at]
      return argument?.kind === 'symbol' ? argument.text : undefined
    },
  })
}
