/** Free text inside Markdown: shown as it is written, on one line, and never acted upon. */
import { oneLine } from './words.ts'

/** Splits a word for programs but not for the eye: HTML's zero-width space. */
const seam = '&#8203;'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What review pages turn into a mention, a reference or a link although no markup says so. */
const seams = /[@#](?=[\p{L}\p{N}_])|!(?=\d)|:(?=\/\/)|\bwww(?=\.)|\bGH-(?=\d)/giu

/** At most `longest` characters, with an ellipsis for the rest. */
export const clip = (text: string, longest: number): string => {
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`
}

/** Text for a table cell, a heading or a list item of Markdown. */
export const inertMarkdown = (text: string, longest: number): string =>
  clip(oneLine(text), longest)
    // By name: a number would bring a `#`, which the seams below would split.
    .replace(/[&<>]/gu, (mark) => entities[mark] ?? mark)
    .replace(/[\\`*_|[\]~$]/gu, '\\$&')
    .replace(seams, (mark) => mark + seam)
