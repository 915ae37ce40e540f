/**
 * The entry of the program: hands the real world to runCli() and leaves. While a second thread still
 * populates a mapping, leaving the usual way would wait for it, so then it leaves at once.
 */
import { setFlagsFromString } from 'node:v8'
import { isPopulating } from '../bytes/mapped-file.ts'
import { RevlogError, reasonOf } from '../errors.ts'
import { loadMappingCalls } from '../native/libc.ts'
import { writeFully } from './output.ts'
import { runCli } from './run.ts'

/**
 * Bytes of bytecode that a function runs before it is compiled for speed. With V8's own number
 * (67,584 in Node 20) a command of 200 ms spends a quarter of its time on compiling what is over
 * soon after; commands that take seconds do not see the difference.
 */
const INTERRUPT_BUDGET_BYTES = 600_000

setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET_BYTES}`)

const status = runCli(process.argv.slice(2), {
  get cwd() {
    return currentDirectory()
  },
  env: process.env,
  writeOut: (bytes) => writeFully(1, bytes),
  writeError: (text) => writeFully(2, Buffer.from(text)),
  clockSeconds: () => performance.now() / 1000,
})
process.exitCode = status
if (isPopulating()) loadMappingCalls().exitNow(status)

/** Asked only where no -R is given: a directory that was removed is no reason to fail before. */
function currentDirectory(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new RevlogError('system', `the current directory: ${reasonOf(cause)}`, { cause })
  }
}
