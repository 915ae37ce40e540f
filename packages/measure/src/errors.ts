/** What can go wrong between a worker and its launcher. */
import { AssayError } from '@assay/model'

/** `launcher-died`: the launcher ended before it answered; `detail` says how it ended. */
export const launcherDied = (detail: string): AssayError =>
  new AssayError({
    code: 'launcher-died',
    kind: 'unmeasurable',
    message: `the launcher ended before it answered (${detail}); its child was killed with it: measure the round again`,
  })

/** `launcher-closed`: a request was under way, or made, after `close()`. */
export const launcherClosed = (): AssayError =>
  new AssayError({
    code: 'launcher-closed',
    kind: 'conflict',
    message: 'the launcher was closed; open another one to go on measuring',
  })

/** `launcher-busy`: only one request at a time, since measurements must not overlap. */
export const launcherBusy = (): AssayError =>
  new AssayError({
    code: 'launcher-busy',
    kind: 'conflict',
    message: 'a child is being measured; wait for its result before starting another one',
  })

/** `launcher-refused`: the launcher did not accept a request, e.g. an argument with a NUL. */
export const launcherRefused = (reason: string): AssayError =>
  new AssayError({
    code: 'launcher-refused',
    kind: 'usage',
    message: `the launcher refused the request: ${reason}`,
  })

/** `launcher-garbled`: an answer outside the protocol: launcher and package are of two versions. */
export const launcherGarbled = (answer: string): AssayError =>
  new AssayError({
    code: 'launcher-garbled',
    kind: 'internal',
    message: `the launcher gave an unexpected answer; rebuild it with "npm run launcher -w @assay/measure". It said: ${answer}`,
  })

/** `launcher-missing`: the launcher asked for is not there. */
export const launcherMissing = (path: string): AssayError =>
  new AssayError({
    code: 'launcher-missing',
    kind: 'usage',
    message: `there is no launcher at ${path}; build it with "npm run build" (the native one needs a C compiler)`,
  })

/** `host-busy`: another launcher holds the host lock; `details.holder` is its process, or null. */
export const hostBusy = (path: string, holder: number | null): AssayError =>
  new AssayError({
    code: 'host-busy',
    kind: 'conflict',
    message: `something else is measured on this host (${
      holder === null ? 'an unknown process' : `launcher process ${holder}`
    } holds ${path}); wait until it has ended`,
    details: { path, holder },
  })

/** `host-lock-failed`: the lock file cannot be used. */
export const hostLockFailed = (path: string, reason: string): AssayError =>
  new AssayError({
    code: 'host-lock-failed',
    kind: 'unmeasurable',
    message: `the host lock ${path} cannot be used: ${reason}; make its folder writable or name another file`,
    details: { path },
  })

/** `host-unreadable`: a file without which nothing can be timed is missing. */
export const hostUnreadable = (path: string): AssayError =>
  new AssayError({
    code: 'host-unreadable',
    kind: 'unmeasurable',
    message: `${path} cannot be read; measuring needs Linux with /proc mounted`,
    details: { path },
  })

/** `pages-not-dropped`: a cold start cannot be arranged here. */
export const pagesNotDropped = (path: string, reason: string): AssayError =>
  new AssayError({
    code: 'pages-not-dropped',
    kind: 'unmeasurable',
    message: `the cached pages of ${path} cannot be dropped: ${reason}; measure with "cache: warm"`,
    details: { path },
  })

/** `processors-garbled`: a text is no list of processors. */
export const processorsGarbled = (text: string): AssayError =>
  new AssayError({
    code: 'processors-garbled',
    kind: 'usage',
    message: `"${text}" is no list of processors; write numbers and ranges such as 1 or 0,2-3`,
    details: { text },
  })

/** `processors-offline`: a list names processors that this host does not have, or has off. */
export const processorsOffline = (facts: {
  readonly text: string
  readonly missing: readonly number[]
  readonly online: string | null
}): AssayError =>
  new AssayError({
    code: 'processors-offline',
    kind: 'usage',
    message: `"${facts.text}" names ${facts.missing.length === 1 ? 'processor' : 'processors'} ${facts.missing.join(', ')}, not online on this host; choose among ${facts.online}`,
    details: { text: facts.text, missing: facts.missing, online: facts.online },
  })

/** `processors-shared`: what is measured and who measures it were to be kept apart, and are not. */
export const processorsShared = (shared: readonly number[]): AssayError =>
  new AssayError({
    code: 'processors-shared',
    kind: 'usage',
    message: `${shared.length === 1 ? 'processor' : 'processors'} ${shared.join(', ')} would be used by the measured children and by Assay itself; name processors for one side that the other does not have, e.g. 1/0`,
    details: { shared },
  })

/** `pinning-failed`: the kernel does not let this process have these processors. */
export const pinningFailed = (cpus: string, reason: string): AssayError =>
  new AssayError({
    code: 'pinning-failed',
    kind: 'unmeasurable',
    message: `this process cannot be limited to processors ${cpus}: ${reason}; "grep Cpus_allowed_list /proc/self/status" shows those it may have`,
    details: { cpus },
  })

/** `copy-failed`: a dataset could not be copied; what was made of the copy is left for a look. */
export const copyFailed = (facts: {
  readonly from: string
  readonly to: string
  readonly reason: string
}): AssayError =>
  new AssayError({
    code: 'copy-failed',
    kind: 'unmeasurable',
    message: `${facts.from} cannot be copied to ${facts.to}: ${facts.reason}; free space there, or name another scratch folder`,
    details: facts,
  })

/** `noise-not-measured`: the host's own noise could not be told, because the trial child failed. */
export const noiseNotMeasured = (reason: string): AssayError =>
  new AssayError({
    code: 'noise-not-measured',
    kind: 'unmeasurable',
    message: `the noise of this host cannot be measured: ${reason}; rebuild the launcher with "npm run launcher -w @assay/measure"`,
  })
