/** Leaves nothing behind: kills and reaps whatever a child has started, as native/descendants.c. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { reapAny } from './libc.ts'

const parentOf = (pid: string): number | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in parentheses, may hold anything; then come the state and the parent.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null // it ended meanwhile
  }
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile, or is another user's and will end by itself.
  }
}

const killChildren = (): void => {
  for (const entry of readdirSync('/proc'))
    if (/^\d+$/.test(entry) && parentOf(entry) === process.pid) kill(Number(entry))
}

const sigkill = 9

/**
 * Kills and reaps every descendant; orphans come to this process, their subreaper. Returns how many
 * had to be killed.
 */
export const killDescendants = async (): Promise<number> => {
  let stragglers = 0
  for (;;) {
    const ended = reapAny()
    if (ended === null) return stragglers
    if (ended.pid !== 0) {
      if ((ended.status & 0x7f) === sigkill) stragglers += 1
      continue
    }
    killChildren()
    await sleep(1)
  }
}
