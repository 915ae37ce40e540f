/**
 * Splits a command line into words as a shell does, without being one: quotes and backslashes are
 * understood, nothing is expanded, and what only a shell could do is refused.
 * Source: POSIX.1-2024, Shell Command Language, 2.2 Quoting and 2.3 Token Recognition.
 */
import { commandGarbled } from '../errors.ts'

/** Characters that are operators where they are not quoted. */
const operators = '|&;<>()`'
/** What a backslash escapes inside double quotes. */
const escapable = '$`"\\\n'

/** One step of reading: what was read, where to go on, or what is wrong. */
interface Piece {
  readonly text: string
  readonly end: number
}

const singleQuoted = (line: string, start: number): Piece => {
  const end = line.indexOf("'", start)
  if (end === -1) throw commandGarbled(line, "a closing ' is missing")
  return { text: line.slice(start, end), end: end + 1 }
}

const doubleQuoted = (line: string, start: number): Piece => {
  let text = ''
  for (let at = start; at < line.length; at += 1) {
    const character = line.charAt(at)
    const next = line.charAt(at + 1)
    if (character === '"') return { text, end: at + 1 }
    if (character === '\\' && next !== '' && escapable.includes(next)) {
      text += next === '\n' ? '' : next
      at += 1
    } else text += character
  }
  throw commandGarbled(line, 'a closing " is missing')
}

const escaped = (line: string, start: number): Piece => {
  const text = line.charAt(start)
  if (text === '') throw commandGarbled(line, 'nothing follows its last backslash')
  return { text: text === '\n' ? '' : text, end: start + 1 }
}

/** A place such as `${name}`, whole: its braces are no shell's. */
const placeAt = (line: string, start: number): Piece | null => {
  const [text] = /^\$\{[^}]*\}/.exec(line.slice(start)) ?? []
  return text === undefined ? null : { text, end: start + text.length }
}

const pieceAt = (line: string, at: number): Piece => {
  const character = line.charAt(at)
  if (character === "'") return singleQuoted(line, at + 1)
  if (character === '"') return doubleQuoted(line, at + 1)
  if (character === '\\') return escaped(line, at + 1)
  if (operators.includes(character)) {
    throw commandGarbled(line, `${character} needs a shell; add --shell, or put it in quotes`)
  }
  return placeAt(line, at) ?? { text: character, end: at + 1 }
}

/**
 * The words of `line`, at least one. Throws `command-garbled` for an open quote, an operator that
 * needs a shell, or no word at all.
 */
export const shellWords = (line: string): readonly string[] => {
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < line.length; ) {
    if (/[ \t\n]/.test(line.charAt(at))) {
      if (word !== null) words.push(word)
      word = null
      at += 1
      continue
    }
    const piece = pieceAt(line, at)
    word = (word ?? '') + piece.text
    at = piece.end
  }
  if (word !== null) words.push(word)
  if (words.length === 0) throw commandGarbled(line, 'it is empty')
  return words
}
