/**
 * The text of a changelog revision. Lines: manifest node, user, date with extras, the changed files,
 * an empty line, the description. Strings are byte strings. What makes a good commit (trimming,
 * sorting) is the writer's care; here a text and its value are turned into each other.
 */
import { RevlogError } from '../errors.ts'
import { type ByteString, byteString, bytesOf, isByteString } from '../format/byte-string.ts'
import { parseExtra, serializeExtra } from './extra.ts'

/** What a changelog revision says. */
export interface Changeset {
  /** Node of the manifest, 40 hexadecimal digits. */
  readonly manifestHex: string
  readonly user: ByteString
  /** Seconds since the epoch. */
  readonly time: number
  /** Seconds west of UTC: negative in the east. */
  readonly timezoneSeconds: number
  /** Extras by key; `branch` is missing for the default branch. */
  readonly extra: ReadonlyMap<ByteString, ByteString>
  readonly files: readonly ByteString[]
  readonly description: ByteString
}

/** What Mercurial shows for the null revision: nothing, by nobody, at the epoch. */
export const NULL_CHANGESET: Changeset = {
  manifestHex: '0'.repeat(40),
  user: '',
  time: 0,
  timezoneSeconds: 0,
  extra: new Map(),
  files: [],
  description: '',
}

/** Name of the branch that is not stored. */
export const DEFAULT_BRANCH = 'default'

/** Reads a changelog text; the empty text is the null changeset. Throws `corrupt`. */
export function parseChangeset(text: Uint8Array): Changeset {
  if (text.length === 0) return NULL_CHANGESET
  const whole = byteString(text)
  const userAt = whole.indexOf('\n') + 1
  const dateAt = whole.indexOf('\n', userAt) + 1
  const dateEnd = whole.indexOf('\n', dateAt)
  const end = whole.indexOf('\n\n', Math.max(0, dateEnd))
  if (userAt === 0 || dateAt === 0 || dateEnd < 0 || end < 0) {
    throw new RevlogError('corrupt', 'a changelog text ends before its description')
  }
  return {
    manifestHex: whole.slice(0, userAt - 1),
    user: whole.slice(userAt, dateAt - 1),
    ...parseDateLine(whole.slice(dateAt, dateEnd)),
    files: end === dateEnd ? [] : whole.slice(dateEnd + 1, end).split('\n'),
    description: whole.slice(end + 2),
  }
}

/** The text of a changeset. Throws `usage` for what the format cannot hold. */
export function serializeChangeset(changeset: Changeset): Uint8Array {
  assertStorable(changeset)
  const { manifestHex, user, time, timezoneSeconds, extra, files, description } = changeset
  const extras = extra.size === 0 ? '' : ` ${serializeExtra(extra)}`
  const date = `${time} ${timezoneSeconds}${extras}`
  return bytesOf([manifestHex, user, date, ...files, '', description].join('\n'))
}

/** Throws `usage` for what serializeChangeset() refuses. */
export function assertStorable(changeset: Omit<Changeset, 'manifestHex'>): void {
  const { user, time, timezoneSeconds, extra, files, description } = changeset
  if (user === '' || user.includes('\n')) {
    throw new RevlogError('usage', 'a user name must not be empty and must be one line')
  }
  if (files.some((file) => file === '' || file.includes('\n'))) {
    throw new RevlogError('usage', 'a file name must not be empty and must be one line')
  }
  if (!(Math.abs(time) <= Number.MAX_SAFE_INTEGER) || !Number.isSafeInteger(timezoneSeconds)) {
    throw new RevlogError('usage', `a changeset's date cannot be ${time} ${timezoneSeconds}`)
  }
  if (![user, description, serializeExtra(extra), ...files].every(isByteString)) {
    throw new RevlogError('usage', 'a changeset holds byte strings: encode its text first')
  }
}

/** The branch a changeset is on. */
export function branchOf(changeset: Changeset): ByteString {
  return changeset.extra.get('branch') ?? DEFAULT_BRANCH
}

function parseDateLine(line: ByteString): Pick<Changeset, 'time' | 'timezoneSeconds' | 'extra'> {
  const zoneAt = line.indexOf(' ') + 1
  const zoneEnd = zoneAt === 0 ? -1 : line.indexOf(' ', zoneAt)
  const time = Number(zoneAt === 0 ? line : line.slice(0, zoneAt - 1))
  const zone = zoneAt === 0 ? 0 : Number(line.slice(zoneAt, zoneEnd < 0 ? line.length : zoneEnd))
  if (!Number.isFinite(time) || line === '') {
    throw new RevlogError('corrupt', `a changeset's date is ${JSON.stringify(line)}`)
  }
  return {
    time,
    timezoneSeconds: Number.isInteger(zone) ? zone : 0,
    extra: zoneEnd < 0 ? NO_EXTRA : parseExtra(line.slice(zoneEnd + 1)),
  }
}

const NO_EXTRA: ReadonlyMap<ByteString, ByteString> = new Map()
