/**
 * From the words of a revset expression to a tree, by operator precedence. Source: `hg help revsets`,
 * and, for what binds tighter than what, expressions tried on Mercurial 6.3.
 */
import { parseError, type Token, tokenize } from './tokenize.ts'

/** An expression. */
export type Revset =
  | { readonly kind: 'symbol'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Revset[] }
  | { readonly kind: 'not'; readonly of: Revset }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Revset
      readonly right: Revset
    }
  /** `A:B`, `A::B` with an end left out. */
  | {
      readonly kind: 'range'
      readonly operator: ':' | '::'
      readonly from: Revset | undefined
      readonly to: Revset | undefined
    }

/** Operators between two expressions, ranges apart. */
export type BinaryOperator = 'and' | 'or' | '-' | '%' | '^' | '~'

const STRENGTH: ReadonlyMap<string, number> = new Map([
  ['or', 4],
  ['and', 5],
  ['-', 5],
  ['%', 5],
  [':', 15],
  ['::', 17],
  ['^', 18],
  ['~', 18],
])
const NOT_STRENGTH = 10
const MINUS_STRENGTH = 19

/** Parses an expression. Throws `parse-error`. */
export function parseRevset(spec: string, isName: (text: string) => boolean): Revset {
  const parser = new Parser(spec, tokenize(spec, isName))
  return parser.whole()
}

/** A walk along the words, for one expression. */
class Parser {
  readonly #spec: string
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(spec: string, tokens: readonly Token[]) {
    this.#spec = spec
    this.#tokens = tokens
  }

  whole(): Revset {
    if (this.#peek().kind === 'end') throw parseError('empty query')
    const tree = this.#expression(0)
    if (this.#peek().kind !== 'end') throw this.#error('invalid token')
    return tree
  }

  #expression(strength: number): Revset {
    let left = this.#prefix()
    for (;;) {
      const { kind, text } = this.#peek()
      const own = kind === 'operator' ? STRENGTH.get(text) : undefined
      if (own === undefined || own <= strength) return left
      left = this.#infix(left, this.#take().text, own)
    }
  }

  #prefix(): Revset {
    const token = this.#peek()
    if (token.kind === 'string' || token.kind === 'symbol') {
      this.#take()
      if (token.kind === 'symbol' && this.#isOperator('(')) return this.#call(token.text)
      return { kind: 'symbol', text: token.text }
    }
    if (token.kind === 'end') throw this.#error('not a prefix: end')
    switch (token.text) {
      case '(':
        return this.#group()
      case 'not':
        this.#take()
        return { kind: 'not', of: this.#expression(NOT_STRENGTH) }
      case '-':
        return this.#negative()
      case ':':
      case '::':
        return this.#openRange(this.#take().text === ':' ? ':' : '::')
      default:
        throw this.#error(`not a prefix: ${token.text}`)
    }
  }

  #group(): Revset {
    this.#take()
    const inner = this.#expression(0)
    this.#expect(')')
    return inner
  }

  #negative(): Revset {
    this.#take()
    const number = this.#expression(MINUS_STRENGTH)
    if (number.kind !== 'symbol') throw parseError("can't use a negate operator in this context")
    return { kind: 'symbol', text: `-${number.text}` }
  }

  #openRange(operator: ':' | '::'): Revset {
    if (!this.#startsExpression()) {
      if (operator === '::') throw parseError("can't use '::' in this context")
      return { kind: 'range', operator, from: undefined, to: undefined }
    }
    const to = this.#expression(STRENGTH.get(operator) ?? 0)
    return { kind: 'range', operator, from: undefined, to }
  }

  #infix(left: Revset, operator: string, strength: number): Revset {
    if (operator === ':' || operator === '::') {
      const to = this.#startsExpression() ? this.#expression(strength) : undefined
      return { kind: 'range', operator, from: left, to }
    }
    if (operator === '^' && !this.#startsExpression()) {
      return { kind: 'binary', operator, left, right: { kind: 'symbol', text: '1' } }
    }
    if (operator !== 'and' && operator !== 'or' && operator !== '-') {
      if (operator !== '%' && operator !== '^' && operator !== '~')
        throw this.#error('invalid token')
    }
    return { kind: 'binary', operator, left, right: this.#expression(strength) }
  }

  #call(name: string): Revset {
    this.#take()
    const args: Revset[] = []
    while (!this.#isOperator(')')) {
      args.push(this.#expression(0))
      if (!this.#isOperator(',')) break
      this.#take()
    }
    this.#expect(')')
    return { kind: 'call', name, args }
  }

  #startsExpression(): boolean {
    const { kind, text } = this.#peek()
    if (kind === 'symbol' || kind === 'string') return true
    // `x^-y` and `x:-1`: a minus after an operator belongs to what follows.
    return kind === 'operator' && ['(', '-', 'not'].includes(text)
  }

  #expect(operator: string): void {
    if (!this.#isOperator(operator)) throw this.#error(`unexpected token: ${this.#peek().text}`)
    this.#take()
  }

  #isOperator(text: string): boolean {
    const token = this.#peek()
    return token.kind === 'operator' && token.text === text
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? END
  }

  #take(): Token {
    const token = this.#peek()
    this.#next++
    return token
  }

  #error(what: string) {
    return parseError(what, { spec: this.#spec, at: this.#peek().at })
  }
}

const END: Token = { kind: 'end', text: 'end', at: 0 }
