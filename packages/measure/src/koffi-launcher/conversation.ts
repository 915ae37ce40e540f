/** The two ends of the conversation: request lines in, answer lines out, without Node's streams. */
import { readSync, writeSync } from 'node:fs'

const stdin = 0
const stdout = 1

/** One request: a verb and its tokens, decoded, in order. */
export interface Request {
  readonly verb: string
  readonly tokens: readonly (readonly [key: string, value: string])[]
}

/** The lines that arrive on stdin. */
export interface RequestLines {
  /** Reads what is there; false at the end of the input. Blocks when nothing is there. */
  fill(): boolean
  /** The next whole line, or null. */
  take(): string | null
}

/** Opens stdin for reading by line. */
export const openRequestLines = (): RequestLines => {
  const chunk = Buffer.alloc(65536)
  let text = ''
  return {
    fill: () => {
      const count = readSync(stdin, chunk)
      // Requests are ASCII: everything else in them is percent-encoded.
      text += chunk.toString('latin1', 0, count)
      return count > 0
    },
    take: () => {
      const end = text.indexOf('\n')
      if (end < 0) return null
      const line = text.slice(0, end)
      text = text.slice(end + 1)
      return line
    },
  }
}

const decodeToken = (token: string): readonly [string, string] | null => {
  const [, key, encoded] = /^([a-z]+)=(.*)$/.exec(token) ?? []
  if (key === undefined || encoded === undefined) return null
  try {
    const value = decodeURIComponent(encoded)
    return value.includes('\0') ? null : [key, value]
  } catch (cause) {
    if (cause instanceof URIError) return null
    throw cause
  }
}

/** A line as a request; null when it cannot be understood. */
export const parseRequest = (line: string): Request | null => {
  const [verb = '', ...rest] = line.split(' ').filter((token) => token !== '')
  const tokens = rest.map(decodeToken)
  const understood = tokens.filter((token) => token !== null)
  return verb === '' || understood.length < tokens.length ? null : { verb, tokens: understood }
}

/** The value of a key, the last one given; null when there is none. */
export const lastValue = (request: Request, key: string): string | null =>
  request.tokens.findLast(([name]) => name === key)?.[1] ?? null

/** All values of a repeated key, in order. */
export const allValues = (request: Request, key: string): readonly string[] =>
  request.tokens.filter(([name]) => name === key).map(([, value]) => value)

/** Writes one answer line. */
export const answer = (value: Readonly<Record<string, unknown>>): void => {
  writeSync(stdout, `${JSON.stringify(value)}\n`)
}

/** Answers that a request cannot be served. */
export const refuse = (reason: string): void => answer({ type: 'refused', reason })
