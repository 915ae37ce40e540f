/** Closes what the parent left open: it would be open in every child, and keep its other end waiting. */
import { closeSync, readdirSync, readFileSync } from 'node:fs'

/** O_CLOEXEC as in /proc/self/fdinfo, in octal. */
const closeOnExec = 0o2000000

const isInherited = (file: number): boolean => {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${file}`, 'latin1')
    const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '', 8)
    // Node's own files are all closed on exec, so none of them came through one.
    return (flags & closeOnExec) === 0
  } catch {
    return false // the one that listed the folder
  }
}

/** Closes every file beyond the three standard ones that came from the parent. */
export const closeInheritedFiles = (): void => {
  for (const name of readdirSync('/proc/self/fd'))
    if (Number(name) > 2 && isInherited(Number(name))) closeSync(Number(name))
}
