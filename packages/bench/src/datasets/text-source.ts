/**
 * Invented text that compresses about as source code does: lines, files and edits of them, commit
 * messages, people and paths, all drawn from one seeded source. Only arithmetic that is exact in
 * every implementation is used, so that a seed gives the same bytes everywhere.
 */
import type { Random } from '@assay/model'

/** Words of the invented language. */
const VOCABULARY = 1_500

/** A new file is at most this many times longer than the median. */
const MAX_LENGTH_RATIO = 12

const CONSONANTS = 'bcdfghklmnprstvwz'
const VOWELS = 'aeiou'
const LINE_ENDS = [';', ')', ':', '', ' {', ',']

/** Draws text; each call advances the source. */
export interface TextSource {
  readonly random: Random
  /** A whole number from 0 to below `limit`. */
  pick(limit: number): number
  /** As pick, with small numbers far more likely: people and files are not equally busy. */
  pickSkewed(limit: number): number
  /** A whole number of at least `least` with the mean `mean`. */
  around(mean: number, least: number): number
  word(): string
  /** The content of a new file with about `medianLines` lines. */
  file(medianLines: number): Buffer
  /** The content after an ordinary edit; files that have grown long shrink. */
  edit(content: Uint8Array, longBytes: number): Buffer
  /** A description of about `meanBytes` bytes. */
  message(meanBytes: number): string
}

/** A text source over a seeded random. */
export const createTextSource = (random: Random): TextSource => {
  const pick = (limit: number): number => Math.floor(random() * limit)
  const pickSkewed = (limit: number): number => Math.floor(random() * random() * limit)
  const words = inventWords(pick)
  const word = (): string => words[pickSkewed(words.length)] ?? 'word'
  const sentence = (length: number): string => Array.from({ length }, () => word()).join(' ')
  const line = (): string => {
    const indent = '    '.repeat(pick(4))
    return `${indent}${sentence(1 + pick(7))}${LINE_ENDS[pick(LINE_ENDS.length)] ?? ''}\n`
  }
  const lines = (count: number): Buffer => Buffer.from(Array.from({ length: count }, line).join(''))
  const around = (mean: number, least: number): number => {
    let drawn = least
    const more = mean - least
    while (more > 0 && random() < more / (more + 1)) drawn += 1
    return drawn
  }
  return {
    random,
    pick,
    pickSkewed,
    around,
    word,
    file: (medianLines) => {
      const u = random()
      // A log-logistic draw: the median is exact, one in ten is three times as long.
      const ratio = Math.min(MAX_LENGTH_RATIO, Math.sqrt(u / (1 - u)))
      return lines(1 + Math.floor(medianLines * ratio))
    },
    edit: (content, longBytes) => {
      const removed = content.length > longBytes ? 12 : 4
      let edited: Buffer = Buffer.from(content)
      for (let region = around(1.4, 1); region > 0; region -= 1) {
        edited = replaceLines(edited, {
          at: random(),
          removed: pick(removed + 1),
          added: lines(1 + pick(5)),
        })
      }
      return edited
    },
    message: (meanBytes) => {
      const length = around(meanBytes, Math.min(10, meanBytes))
      let text = `${word()}: ${word()}`
      while (text.length < length) text += `${text.length % 72 < 60 ? ' ' : '\n'}${word()}`
      return text
    },
  }
}

const inventWords = (pick: (limit: number) => number): readonly string[] => {
  const words = new Set<string>()
  while (words.size < VOCABULARY) {
    let word = ''
    for (let syllable = 1 + pick(4); syllable > 0; syllable -= 1) {
      word += `${CONSONANTS[pick(CONSONANTS.length)]}${VOWELS[pick(VOWELS.length)]}`
      if (pick(4) === 0) word += CONSONANTS[pick(CONSONANTS.length)]
    }
    words.add(word)
  }
  return [...words]
}

const NEWLINE = 0x0a

/** Replaces whole lines from a place (a fraction of the content) on. */
const replaceLines = (
  content: Buffer,
  change: { readonly at: number; readonly removed: number; readonly added: Buffer },
): Buffer => {
  const from = content.lastIndexOf(NEWLINE, Math.floor(change.at * content.length)) + 1
  let to = from
  for (let line = 0; line < change.removed && to < content.length; line += 1) {
    const newline = content.indexOf(NEWLINE, to)
    to = newline === -1 ? content.length : newline + 1
  }
  return Buffer.concat([content.subarray(0, from), change.added, content.subarray(to)])
}
