/** Which kind of filesystem a path lies on, from the kernel's list of mounts. */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

interface Mount {
  readonly point: string
  readonly type: string
}

/** Spaces and the like are written in octal: `\040` (proc_pid_mountinfo(5)). */
const unescapeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )

/** `36 35 98:0 /root /point options optional... - type source options` */
const parseMount = (line: string): readonly Mount[] => {
  const [before = '', after = ''] = line.split(' - ')
  const point = before.split(' ')[4]
  const type = after.split(' ')[0]
  return point === undefined || type === undefined ? [] : [{ point: unescapeOctal(point), type }]
}

const holds = (point: string, path: string): boolean =>
  point === '/' || path === point || path.startsWith(`${point}/`)

const realOrResolved = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path) // it does not exist yet: its name decides
  }
}

/** The type of the mount that holds a path, e.g. `ext4`; null when the list does not tell. */
export const filesystemType = (mountinfo: string, path: string): string | null => {
  const real = realOrResolved(path)
  const holding = mountinfo
    .split('\n')
    .flatMap(parseMount)
    .filter((mount) => holds(mount.point, real))
  const longest = Math.max(...holding.map((mount) => mount.point.length))
  // Of several mounts at one point, the last one covers the others.
  return holding.findLast((mount) => mount.point.length === longest)?.type ?? null
}
