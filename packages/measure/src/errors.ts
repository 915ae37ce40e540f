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
