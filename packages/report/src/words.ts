/**
 * Free text inside the text format: labels, keys and levels are printed as they are, unless that
 * could not be read back; then as a JSON string.
 */

/** Whether `text` survives on a line of its own: not empty, no control characters, no outer space. */
const isPlain = (text: string): boolean =>
  text !== '' && text === text.trim() && !/\p{Cc}/u.test(text) && !text.startsWith('"')

/** A level as printed after ` = `. */
export const levelText = (level: string): string => (isPlain(level) ? level : JSON.stringify(level))

/** A heading's key as printed before ` = `. */
export const keyText = (key: string): string =>
  isPlain(key) && !/[\s=#"]|\.$/u.test(key) ? key : JSON.stringify(key)

/** A row's label as printed before `: `. */
export const labelText = (label: string): string =>
  isPlain(label) && !/^[#;]|: |:$/u.test(label) ? label : JSON.stringify(label)

const quoted = /^"(?:[^"\\]|\\.)*"/su

/** A JSON string at the start of `text`, and what follows it; null if there is none. */
export const readQuoted = (
  text: string,
): { readonly word: string; readonly rest: string } | null => {
  const literal = quoted.exec(text)?.[0]
  if (literal === undefined) return null
  try {
    return { word: String(JSON.parse(literal)), rest: text.slice(literal.length) }
  } catch {
    // Quotation marks in somebody's prose, not a word of ours.
    return null
  }
}

/** Text on one line: a reason may hold the end of a program's stderr. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
