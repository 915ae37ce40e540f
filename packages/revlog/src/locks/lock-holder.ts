/**
 * Who holds a lock, as Mercurial writes it into the lock: `host:pid`, on Linux with the number of the
 * process's pid namespace, `host/effffffc:pid`. (Observed in what Mercurial 6.3 writes.)
 */
import { statSync } from 'node:fs'
import { hostname } from 'node:os'

/** A holder. */
export interface LockHolder {
  /** `host/namespace`, or the host alone where the system has no namespaces. */
  readonly host: string
  readonly pid: number
}

/** This process. */
export function ownHolder(): LockHolder {
  return { host: ownHost(), pid: process.pid }
}

/** The lock's content. */
export function formatHolder({ host, pid }: LockHolder): string {
  return `${host}:${pid}`
}

/** The holder that a lock's content names; undefined for content of another form. */
export function parseHolder(text: string): LockHolder | undefined {
  const [, host, digits] = /^(.+):(\d{1,10})$/s.exec(text) ?? []
  return host === undefined ? undefined : { host, pid: Number(digits) }
}

/** Whether the holder is a process of this host that is no longer there. */
export function isDead({ host, pid }: LockHolder): boolean {
  if (host !== ownHost() || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    // EPERM: it is there and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

function ownHost(): string {
  const name = hostname()
  if (process.platform !== 'linux') return name
  const namespace = statSync('/proc/self/ns/pid', { throwIfNoEntry: false })
  return namespace === undefined ? name : `${name}/${namespace.ino.toString(16)}`
}
