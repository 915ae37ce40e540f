/**
 * The measured child of `access-modes.mjs`: opens one index in a mode, touches it by a pattern, and
 * prints what that took as one line of JSON. Node's own start is left out of the times.
 */
import { readFileSync } from 'node:fs'
import { openByteSource, parseIndexEntry } from '@assay/revlog'

const [path, mode, pattern] = process.argv.slice(2)
const entryBytes = 64

/** A fixed sequence of places (a full-period linear congruence), the same in every process. */
const places = {
  'last 1000': (count) => Array.from({ length: 1000 }, (_, at) => count - 1 - at),
  '20,000 random': (count) => {
    let state = 1
    return Array.from({ length: 20_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state % count
    })
  },
  'full scan': (count) => Array.from({ length: count }, (_, at) => at),
}

const faults = () => process.resourceUsage()
const field = (name) => {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync('/proc/self/status', 'utf8'),
  )
  return Number(match?.[1] ?? 0) * 1024
}

const count = Number(process.argv[5])
const order = places[pattern](count)
const began = process.hrtime.bigint()
const source = openByteSource(path, { mode })
const opened = process.hrtime.bigint()
const { minorPageFault: minorBefore, majorPageFault: majorBefore } = faults()
const view = source.bytes()
let sum = 0
for (const rev of order) sum += parseIndexEntry(view, rev * entryBytes).compressedLength
const ended = process.hrtime.bigint()
const { minorPageFault: minorAfter, majorPageFault: majorAfter } = faults()
const milliseconds = (from, to) => Number(to - from) / 1e6
console.log(
  JSON.stringify({
    access: source.access,
    openMillis: milliseconds(began, opened),
    workMillis: milliseconds(opened, ended),
    minorFaults: minorAfter - minorBefore,
    majorFaults: majorAfter - majorBefore,
    anonBytes: field('RssAnon'),
    peakBytes: field('VmHWM'),
    sum,
  }),
)
source.close()
