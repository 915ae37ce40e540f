/**
 * YAML text to located nodes, with everything refused that a campaign has no use for: anchors and
 * aliases, merge keys, tags, several documents. Size, number of tokens and depth are checked before
 * the tree is composed, which takes time and stack by them. What the keys mean is left to others.
 */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Faults } from '../diagnostic.ts'
import { quoted } from '../did-you-mean.ts'
import type { HoleNode, LocatedNode, MapEntry } from './located-node.ts'

/** A campaign is written by a person: 1 MiB is far beyond any. */
const mostBytes = 1_048_576
/** Composing takes up to 10 microseconds a token where each is an error. */
const mostTokens = 30_000
/** Levels of the concrete syntax tree; a map or list takes two. */
const deepest = 64

/** The parser's errors in words that name the remedy, by code and the start of its message. */
const remedies: readonly (readonly [code: string, message: string, remedy: string])[] = [
  ['TAB_AS_INDENT', '', 'a tab cannot indent YAML; use spaces'],
  ['BAD_INDENT', 'Flow seq', 'a ] is missing before this place'],
  ['BAD_INDENT', 'Flow map', 'a } is missing before this place'],
  ['BAD_INDENT', '', 'the indentation does not fit; keys of one map start in the same column'],
  [
    'UNEXPECTED_TOKEN',
    '',
    'this does not fit here; is a quote, comma or dash missing or too much?',
  ],
  ['BLOCK_IN_FLOW', '', 'inside [] and {} write entries separated by commas'],
  ['BLOCK_AS_IMPLICIT_KEY', '', 'a second ": " follows here; put the text in quotes, or use {}'],
  ['MULTILINE_IMPLICIT_KEY', '', 'a key stands on one line with its ":"; is one missing here?'],
  ['BAD_SCALAR_START', '', 'a text cannot start with this character; put it in quotes'],
  ['TAG_RESOLVE_FAILED', '', 'tags such as !!str are not part of campaigns; write the plain value'],
]

const remedyFor = (code: string, message: string): string =>
  remedies.find((remedy) => remedy[0] === code && message.startsWith(remedy[1]))?.[2] ?? message

const refuseEarly = (text: string, faults: Faults): void => {
  if (Buffer.byteLength(text) > mostBytes) {
    faults.add(0, 'file-too-large', 'the file is larger than 1 MiB; split the campaign')
  } else if (text.startsWith('\uFEFF')) {
    faults.add(0, 'byte-order-mark', 'the file starts with a byte order mark; save it without')
  } else if (text.trim() === '') {
    faults.add(0, 'empty-file', 'the file is empty; `assay init` writes a campaign to start from')
  }
}

/** The concrete syntax, or null where there is more of it than a person writes. */
const tokensOf = (text: string, faults: Faults): readonly CST.Token[] | null => {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let count = 0
  for (const lexeme of new Lexer().lex(text)) {
    count += 1
    if (count > mostTokens) {
      const advice = 'split the campaign'
      faults.add(0, 'file-too-large', `the file has more than ${mostTokens} tokens; ${advice}`)
      return null
    }
    for (const token of parser.next(lexeme)) tokens.push(token)
  }
  for (const token of parser.end()) tokens.push(token)
  return tokens
}

type Syntax = CST.Token | CST.CollectionItem | null | undefined

const partsOf = (part: Exclude<Syntax, null | undefined>): readonly Syntax[] => {
  const value = 'value' in part && typeof part.value === 'object' ? [part.value] : []
  const key = 'key' in part && typeof part.key === 'object' ? [part.key] : []
  const items = 'items' in part ? part.items : []
  return [...value, ...key, ...items]
}

/** The place of the first token below the deepest level that is composed, or null. */
const tooDeepAt = (tokens: readonly CST.Token[]): number | null => {
  const pending: { readonly part: Syntax; readonly depth: number; readonly offset: number }[] =
    tokens.map((part) => ({ part, depth: 1, offset: 0 }))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, depth } = next
    if (part === null || part === undefined) continue
    const offset = 'offset' in part && part.offset >= 0 ? part.offset : next.offset
    if (depth > deepest) return offset
    for (const child of partsOf(part)) pending.push({ part: child, depth: depth + 1, offset })
  }
  return null
}

const offsetOf = (node: { readonly range?: readonly number[] | null | undefined }): number =>
  node.range?.[0] ?? 0

/** Turns composed YAML into located nodes; each refusal leaves a hole. */
const locate = (node: Node, faults: Faults): LocatedNode => {
  const offset = offsetOf(node)
  const refuse = (code: string, message: string): HoleNode => {
    faults.add(offset, code, message)
    return { kind: 'hole', offset }
  }
  if (isAlias(node)) {
    return refuse('alias', 'aliases (*name) are not part of campaigns; write the value out')
  }
  if ('anchor' in node && node.anchor !== undefined) {
    return refuse('anchor', 'anchors (&name) are not part of campaigns; remove it')
  }
  if (node.tag !== undefined) {
    return refuse('tag', 'tags such as !!str are not part of campaigns; write the plain value')
  }
  if (isMap(node)) return locateMap(node, faults)
  if (isSeq(node)) return locateList(node, faults)
  if (isScalar(node)) return locateText(node, faults)
  return refuse('yaml-unreadable', 'this is neither a text, a list nor a map')
}

const locateText = (node: Scalar, faults: Faults): LocatedNode => {
  const offset = offsetOf(node)
  if (node.type === 'PLAIN' && node.source === '') {
    faults.add(offset, 'no-value', 'there is no value here; write one, or remove the entry')
    return { kind: 'hole', offset }
  }
  const text = node.type === 'PLAIN' ? (node.source ?? '') : String(node.value)
  return { kind: 'text', text, offset }
}

const locateItem = (item: unknown, offset: number, faults: Faults): LocatedNode => {
  if (isAlias(item) || isMap(item) || isSeq(item) || isScalar(item)) return locate(item, faults)
  faults.add(offset, 'no-value', 'there is no value here; write one, or remove the entry')
  return { kind: 'hole', offset }
}

const locateList = (node: YAMLSeq, faults: Faults): LocatedNode => {
  const offset = offsetOf(node)
  return {
    kind: 'list',
    items: node.items.map((item) => locateItem(item, offset, faults)),
    offset,
  }
}

/** Why a key cannot be one, as code and message; null when it can. */
const keyFault = (key: string, seen: ReadonlySet<string>): readonly [string, string] | null => {
  if (key === '<<') {
    return ['merge-key', 'merge keys (<<) are not part of campaigns; write the entries out']
  }
  if (key === '__proto__') return ['reserved-key', 'the key "__proto__" is not allowed']
  if (seen.has(key)) {
    return ['duplicate-key', `the key ${quoted(key)} is there twice; keep one of them`]
  }
  return null
}

const locateMap = (node: YAMLMap, faults: Faults): LocatedNode => {
  const offset = offsetOf(node)
  const entries: MapEntry[] = []
  const seen = new Set<string>()
  for (const pair of node.items) {
    const key = isScalar(pair.key) ? locate(pair.key, faults) : null
    if (key?.kind === 'hole') continue
    if (key?.kind !== 'text') {
      const keyOffset = isMap(pair.key) || isSeq(pair.key) || isAlias(pair.key) ? pair.key : node
      faults.add(offsetOf(keyOffset), 'key-not-text', 'a key must be a text')
      continue
    }
    const fault = keyFault(key.text, seen)
    if (fault !== null) {
      faults.add(key.offset, ...fault)
      continue
    }
    seen.add(key.text)
    const value = locateItem(pair.value, key.offset, faults)
    entries.push({ key: key.text, keyOffset: key.offset, value })
  }
  return { kind: 'map', entries, offset }
}

/** Reports the first syntax error of each line; what follows on the line is its echo. */
const reportSyntax = (document: Document.Parsed, text: string, faults: Faults): void => {
  let lineEnd = -1
  for (const error of [...document.errors, ...document.warnings]) {
    if (error.pos[0] <= lineEnd) continue
    const nextLine = text.indexOf('\n', error.pos[0])
    lineEnd = nextLine === -1 ? text.length : nextLine
    const code = `yaml-${error.code.toLowerCase().replaceAll('_', '-')}`
    faults.add(error.pos[0], code, remedyFor(error.code, error.message))
  }
}

/** Located nodes of a YAML text; null where faults were found that leave nothing to read. */
export const readYaml = (text: string, faults: Faults): LocatedNode | null => {
  refuseEarly(text, faults)
  if (faults.count() > 0) return null
  const tokens = tokensOf(text, faults)
  if (tokens === null) return null
  const second = tokens.filter((token) => token.type === 'document').at(1)
  if (second !== undefined) {
    faults.add(second.offset, 'several-documents', 'a file holds one campaign; remove this one')
    return null
  }
  const deep = tooDeepAt(tokens)
  if (deep !== null) {
    faults.add(deep, 'too-deep', 'this is nested far deeper than any campaign; flatten it')
    return null
  }
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false })
  for (const document of composer.compose(tokens, false, text.length)) {
    reportSyntax(document, text, faults)
    if (faults.count() > 0) return null
    if (document.contents !== null) return locate(document.contents, faults)
  }
  faults.add(0, 'empty-file', 'there is nothing but comments; `assay init` writes a campaign')
  return null
}
