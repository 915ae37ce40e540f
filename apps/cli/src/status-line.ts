/** One line about something that goes on elsewhere: written over itself on a terminal, else anew. */
import type { Surroundings } from './config.ts'

/** A line that is shown when it changes. */
export interface StatusLine {
  show(line: string): void
  /** Nothing more is written over it. */
  end(): void
}

/** Nothing is shown yet. */
export const openStatusLine = ({
  err,
  isTerminal,
}: Pick<Surroundings, 'err' | 'isTerminal'>): StatusLine => {
  let shown = ''
  return {
    show(line) {
      if (line !== shown) err(isTerminal ? `\r\u001b[K${line}` : `${line}\n`)
      shown = line
    },
    end() {
      if (isTerminal) err('\n')
    },
  }
}
