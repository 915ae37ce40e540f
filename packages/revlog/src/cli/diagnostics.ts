/**
 * What --debug prints on standard error: one line `debug: {json}` for each index file that was
 * opened and one at the end with the resources that the command took. A measuring program reads
 * these, so the keys are a contract; each object's `kind` says which of the two it is.
 */
import { readFileSync } from 'node:fs'
import type { AccessRecord } from '../bytes/access.ts'
import type { CliIo } from './output.ts'

/** Collects and prints diagnostics. */
export interface Diagnostics {
  /** An index file was opened. */
  access(record: AccessRecord): void
  /** The command is over. */
  finish(): void
}

/** The last line's numbers. Faults are those of the whole process, second threads included. */
export interface ResourceRecord {
  readonly kind: 'resources'
  /** Time inside the program, the interpreter's start left out. */
  readonly engineSeconds: number
  /** Page faults without and with input since the first index file was opened and populated. */
  readonly minorFaultsAfterOpen: number
  readonly majorFaultsAfterOpen: number
  /** Resident memory at the end: private (RssAnon) and of mapped files (RssFile, RssShmem). */
  readonly anonBytes: number
  readonly mappedBytes: number
}

/** Diagnostics that print nothing. */
export const NO_DIAGNOSTICS: Diagnostics = { access: () => undefined, finish: () => undefined }

/** Diagnostics that print to the standard error of `io`; `startSeconds` is on its clock. */
export function openDiagnostics(io: CliIo, startSeconds: number): Diagnostics {
  let atOpen: NodeJS.ResourceUsage | undefined
  const print = (record: object): void => io.writeError(`debug: ${JSON.stringify(record)}\n`)
  return {
    access(record) {
      print({ kind: 'access', ...record })
      atOpen ??= process.resourceUsage()
    },
    finish() {
      const engineSeconds = io.clockSeconds() - startSeconds
      const usage = process.resourceUsage()
      const before = atOpen ?? usage
      const record: ResourceRecord = {
        kind: 'resources',
        engineSeconds,
        minorFaultsAfterOpen: usage.minorPageFault - before.minorPageFault,
        majorFaultsAfterOpen: usage.majorPageFault - before.majorPageFault,
        ...residentBytes(),
      }
      print(record)
    },
  }
}

/** From /proc/self/status (proc(5)), whose sizes are in KiB; 0 where there is no such file. */
function residentBytes(): Pick<ResourceRecord, 'anonBytes' | 'mappedBytes'> {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'latin1') : ''
  const bytesOf = (key: string): number => {
    const match = new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(status)
    return Number(match?.[1] ?? 0) * 1024
  }
  return { anonBytes: bytesOf('RssAnon'), mappedBytes: bytesOf('RssFile') + bytesOf('RssShmem') }
}
