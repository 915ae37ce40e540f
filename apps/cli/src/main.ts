/** `assay`: hands the command line its surroundings and turns what was thrown into an exit code. */
import { AssayError, exitCodeOf, exitCodes, failureText } from '@assay/model'
import { CommanderError } from 'commander'
import type { Surroundings } from './config.ts'
import { asksForJson, assayProgram, usageErrorOf } from './program.ts'

/** The first Ctrl-C stops cleanly; the second ends at once, as a signal does (128 + its number). */
const stopAtSignal = (err: (text: string) => void): AbortSignal => {
  const stop = new AbortController()
  const onSignal = (_name: string, number: number): void => {
    if (stop.signal.aborted) process.exit(128 + number)
    err('\nstopping (again: end at once)\n')
    stop.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return stop.signal
}

const err = (text: string): void => void process.stderr.write(text)

let isResultPrinted = false

const token = process.env['ASSAY_TOKEN']

const surroundings: Surroundings = {
  workingDirectory: process.cwd(),
  out: (text) => {
    isResultPrinted = true
    process.stdout.write(text)
  },
  err,
  isTerminal: process.stderr.isTTY === true,
  ...(token === undefined || token === '' ? {} : { token }),
  variable: (name) => process.env[name],
  now: Date.now,
  stop: stopAtSignal(err),
}

/** Results that did not reach their reader are no results, whatever the command comes to. */
const failOutput = ({ message }: Error): void => {
  err(
    `assay: the output cannot be written: ${message}; free space, or write elsewhere [output-failed]\n`,
  )
  process.once('exit', () => {
    process.exitCode = exitCodes.internal
  })
}

let isOutputLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that closes the pipe early, such as `head`, is no error.
  if (error.code === 'EPIPE' || isOutputLost) return
  isOutputLost = true
  failOutput(error)
})
// Nobody is left to be told.
process.stderr.on('error', () => undefined)

/** For a person: diagnostics as they are, so that an editor finds file, line and column at the start. */
const told = (error: unknown): string => {
  if (error instanceof AssayError) {
    const { code, message } = error
    return code === 'campaign-invalid' ? `${message}\n` : `assay: ${message} [${code}]\n`
  }
  const text = error instanceof Error ? (error.stack ?? '') : String(error)
  return `assay: internal error: ${text}\n`
}

/** For a machine that asked: one document, unless the result is printed already. */
const failAsJson = (error: unknown): void => {
  if (asksForJson(process.argv.slice(2)) && !isResultPrinted) {
    process.stdout.write(failureText(error))
  }
}

try {
  await assayProgram(surroundings).parseAsync()
} catch (error) {
  // Commander has told a person already.
  const fault = error instanceof CommanderError ? usageErrorOf(error) : error
  if (fault !== null) {
    if (fault === error) err(told(error))
    failAsJson(fault)
    process.exitCode = exitCodeOf(fault)
  }
}
