/** `assay`: hands the command line its surroundings and turns what was thrown into an exit code. */
import { AssayError, exitCodeOf, exitCodes } from '@assay/model'
import { CommanderError } from 'commander'
import type { Surroundings } from './config.ts'
import { assayProgram, exitCodeOfCommander } from './program.ts'

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

const token = process.env['ASSAY_TOKEN']

const surroundings: Surroundings = {
  workingDirectory: process.cwd(),
  out: (text) => void process.stdout.write(text),
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

try {
  await assayProgram(surroundings).parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = exitCodeOfCommander(error)
  } else {
    const known = error instanceof AssayError
    const text = known
      ? error.message
      : error instanceof Error
        ? (error.stack ?? '')
        : String(error)
    // Diagnostics stand as they are, so that an editor finds file, line and column at the start.
    const isLocated = known && error.code === 'campaign-invalid'
    if (isLocated) err(`${text}\n`)
    else err(known ? `assay: ${text} [${error.code}]\n` : `assay: internal error: ${text}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
