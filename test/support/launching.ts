/** What the tests of launchers share: scratch files, a request's defaults, a look at processes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Launcher,
  type LauncherKind,
  type LauncherOptions,
  type LaunchRequest,
  type LaunchResult,
  openLauncher,
} from '@assay/measure'

export const kinds: readonly LauncherKind[] = ['native', 'koffi']

export interface Bench {
  readonly launcher: Launcher
  readonly folder: string
  /** Runs one command; `changes` replace parts of the usual request. */
  run(
    argv: readonly [string, ...string[]],
    changes?: Partial<LaunchRequest> & {
      readonly environment?: Readonly<Record<string, string>>
      readonly expectedExitCodes?: readonly number[]
      readonly workingDirectory?: string
    },
  ): Promise<LaunchResult>
  stdout(): string
  stderr(): string
  close(): Promise<void>
}

export const scratchFolder = (): string => mkdtempSync(join(tmpdir(), 'assay-launcher-'))

export const openBench = async (
  kind: LauncherKind,
  hostLock: LauncherOptions['hostLock'] = null,
): Promise<Bench> => {
  const launcher = await openLauncher({ hostLock, kind })
  const folder = scratchFolder()
  const stdout = join(folder, 'stdout')
  const stderr = join(folder, 'stderr')
  return {
    launcher,
    folder,
    run: (argv, changes = {}) => {
      const {
        environment = { PATH: '/usr/bin:/bin' },
        expectedExitCodes = [0],
        workingDirectory = folder,
        ...rest
      } = changes
      const invocation = { argv, environment, expectedExitCodes, workingDirectory }
      return launcher.run({ invocation, stdout, stderr, timeoutSeconds: 60, ...rest })
    },
    stdout: () => readFileSync(stdout, 'utf8'),
    stderr: () => readFileSync(stderr, 'utf8'),
    close: async () => {
      await launcher.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const commandLine = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it ended meanwhile
  }
}

/** Processes whose command line holds a text. */
export const processesWith = (text: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(text))
    .map(Number)

/** The process that a process was started by, or that it came to; null once it has ended. */
export const parentOf = (pid: number): number | null => {
  try {
    const [, parent] = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(parent)
  } catch {
    return null
  }
}

/** A launcher's processes: the guard, by which it is known, and the one that works. */
export const processesOf = (launcherPid: number): readonly number[] => [
  launcherPid,
  ...readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === launcherPid)
    .map(Number),
]

let naps = 0
/** A duration for `sleep` that no other process has: long, and a mark to find it by. */
export const markedNap = (): string => {
  naps += 1
  return `86400.${process.pid}${naps}`
}
