/** Reads what the kernel tells under /proc and /sys; a host that does not tell is no error. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The kernel's files under one root: `/`, or a recorded tree. */
export interface HostFiles {
  /** A file's text without white space at its ends; null when it is absent or cannot be read. */
  text(path: string): string | null
  /** A file's number; null when there is none. */
  number(path: string): number | null
  /** The names in a folder, sorted; none when it is absent. */
  names(folder: string): readonly string[]
}

const absentCodes = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  // Drivers answer so for what their device cannot tell.
  'EINVAL',
  'EIO',
  'ENODATA',
  'ENXIO',
  'ENODEV',
  'EBUSY',
  'EAGAIN',
  'EOPNOTSUPP',
])

const orNull = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && absentCodes.has(String(cause.code)))
      return null
    throw cause
  }
}

/** Opens the files under a root. */
export const openHostFiles = (root: string): HostFiles => {
  const text = (path: string): string | null =>
    orNull(() => readFileSync(join(root, path), 'utf8').trim())
  return {
    text,
    number: (path) => {
      const value = text(path)
      return value === null || value === '' || !Number.isFinite(Number(value))
        ? null
        : Number(value)
    },
    names: (folder) => (orNull(() => readdirSync(join(root, folder))) ?? []).toSorted(),
  }
}

/** The per-processor folders of /sys that exist: `sys/devices/system/cpu/cpu0` and so on. */
export const processorFolders = (files: HostFiles): readonly string[] =>
  files
    .names('sys/devices/system/cpu')
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => `sys/devices/system/cpu/${name}`)
