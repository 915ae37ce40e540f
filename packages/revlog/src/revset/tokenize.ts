/**
 * The words of a revset expression with their places. Source: `hg help revsets`; forms of errors as
 * Mercurial 6.3 prints them.
 */
import { RevlogError } from '../errors.ts'

/** One word. */
export interface Token {
  readonly kind: 'symbol' | 'string' | 'operator' | 'end'
  /** A symbol's or string's content, an operator's own form (`and`, `or`, `not` for all spellings). */
  readonly text: string
  readonly at: number
}

const OPERATORS: readonly (readonly [string, string])[] = [
  ['::', '::'],
  ['..', '::'],
  [':', ':'],
  ['(', '('],
  [')', ')'],
  [',', ','],
  ['-', '-'],
  ['+', 'or'],
  ['|', 'or'],
  ['&', 'and'],
  ['!', 'not'],
  ['%', '%'],
  ['^', '^'],
  ['~', '~'],
]

const WORD_OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'not'])

/** Letters, digits, what Mercurial allows besides, and everything beyond ASCII; dots one at a time. */
const SYMBOL = /(?:[A-Za-z0-9_@$/\u0080-\uffff]|\.(?!\.))+/y

/** Splits an expression. `isName` says which symbols with a minus in them are names as they stand. */
export function tokenize(spec: string, isName: (text: string) => boolean): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < spec.length; ) {
    const char = spec[at] ?? ''
    if (/\s/.test(char)) {
      at++
      continue
    }
    const token = readString(spec, at) ?? readSymbol(spec, at, isName) ?? readOperator(spec, at)
    if (token === undefined) throw parseError(`not a prefix: ${char}`, { spec, at })
    tokens.push(token.token)
    at = token.next
  }
  tokens.push({ kind: 'end', text: 'end', at: spec.length })
  return tokens
}

interface Found {
  readonly token: Token
  readonly next: number
}

function readString(spec: string, at: number): Found | undefined {
  const quote = spec[at]
  if (quote !== '"' && quote !== "'") return undefined
  let text = ''
  for (let next = at + 1; next < spec.length; next++) {
    const char = spec[next]
    if (char === quote) return { token: { kind: 'string', text, at }, next: next + 1 }
    if (char === '\\') next++
    text += spec[next] ?? ''
  }
  throw parseError('unterminated string', { spec, at: at + 1 })
}

function readSymbol(
  spec: string,
  at: number,
  isName: (text: string) => boolean,
): Found | undefined {
  SYMBOL.lastIndex = at
  const text = SYMBOL.exec(spec)?.[0]
  if (text === undefined) return undefined
  // A name with a minus in it is one name where there is such a name.
  const dashed = /^[^\s()|&+!^~%:,"'#]+/.exec(spec.slice(at))?.[0] ?? text
  const whole = dashed.length > text.length && isName(dashed) ? dashed : text
  const kind = WORD_OPERATORS.has(whole) ? 'operator' : 'symbol'
  return { token: { kind, text: whole, at }, next: at + whole.length }
}

function readOperator(spec: string, at: number): Found | undefined {
  const found = OPERATORS.find(([form]) => spec.startsWith(form, at))
  if (found === undefined) return undefined
  const [form, text] = found
  return { token: { kind: 'operator', text, at }, next: at + form.length }
}

/** A mistake in an expression, with its place where there is one, in Mercurial's form. */
export function parseError(
  what: string,
  place?: { readonly spec: string; readonly at: number },
): RevlogError {
  if (place === undefined) return new RevlogError('parse-error', `parse error: ${what}`)
  const { spec, at } = place
  const pointer = `(${spec}\n${' '.repeat(at + 1)}^ here)`
  return new RevlogError('parse-error', `parse error at ${at}: ${what}\n${pointer}`)
}
