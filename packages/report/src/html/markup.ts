/**
 * HTML that cannot be injected: in a `html` template every value is escaped, unless it is markup
 * that another template made. There is no other way to make markup from a value.
 */

/** Text that is safe to stand in a page. */
export interface Markup {
  readonly markup: string
}

/** What a template takes; null is nothing. */
export type Content = Markup | string | number | null | readonly Content[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters are no text, and a page that holds them is not valid. */
const controls = /[^\P{Cc}\t\n\r]/gu

/** Most text needs no change, and the long paths of charts are text too. */
const suspicious = /[&<>"'\p{Cc}]/u

/** Text for an element or for an attribute in quotes. */
export const escapeText = (text: string): string => {
  if (!suspicious.test(text)) return text
  return text.replace(controls, '\u{FFFD}').replace(/[&<>"']/g, (mark) => entities[mark] ?? '')
}

const markupOf = (content: Content): string => {
  if (content === null) return ''
  if (typeof content === 'string') return escapeText(content)
  if (typeof content === 'number') return String(content)
  return 'markup' in content ? content.markup : content.map(markupOf).join('')
}

/** A piece of a page. */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Markup => {
  let markup = parts[0] ?? ''
  for (let at = 1; at < parts.length; at += 1) {
    markup += markupOf(contents[at - 1] ?? null) + (parts[at] ?? '')
  }
  return { markup }
}

/** Text of this package that stands in an element that is not escaped, as style and script. */
export const verbatim = (text: string): Markup => ({ markup: text })
