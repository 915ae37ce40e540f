/**
 * The launcher for hosts without a C compiler: the same protocol and the same care as
 * native/launcher.c, from Node. It measures time as well, but not peak memory, and its child is
 * killed by whoever started this process, should it be killed itself. It sleeps in system calls, not
 * in the event loop, so that nothing of it runs while a child does.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { answer, openRequestLines, parseRequest, refuse } from './conversation.ts'
import { killDescendants } from './descendants.ts'
import { closeInheritedFiles } from './inherited-files.ts'
import { adoptDescendants, poll } from './libc.ts'
import { lock } from './lock.ts'
import { run, type Surroundings } from './run.ts'

const stop = async (): Promise<never> => {
  await killDescendants()
  process.exit(0)
}

const serve = async (line: string, surroundings: Surroundings): Promise<void> => {
  const request = parseRequest(line)
  if (request === null) refuse('cannot be understood')
  else if (request.verb === 'lock') await lock(request)
  else if (request.verb === 'run') {
    if ((await run(request, surroundings)) === 'stopped') await stop()
  } else if (request.verb !== 'cancel') refuse('unknown verb')
}

const parentArgument = process.argv.find((argument) => argument.startsWith('--parent='))
closeInheritedFiles()
adoptDescendants()
// It died before its death could be signalled.
if (parentArgument !== undefined && process.ppid !== Number(parentArgument.slice(9)))
  process.exit(0)
process.umask(0o022)

let stopped = false
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => {
    stopped = true
  })
const lines = openRequestLines()
const surroundings: Surroundings = { lines, stopping: () => stopped }
answer({ type: 'ready', protocol: 2, pid: process.pid })

for (;;) {
  const line = lines.take()
  if (line !== null) await serve(line, surroundings)
  else if (!poll([0], null).interrupted && !lines.fill()) await stop()
  else await turn() // lets a signal's handler run
  if (stopped) await stop()
}
