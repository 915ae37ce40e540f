/**
 * Dates as Mercurial prints them: in the time zone that is recorded in the changeset, and with a
 * calendar that ends where 32 bits of seconds do.
 */

/** A moment and the zone it is shown in. */
export interface HgDate {
  /** Seconds since the epoch. Very old changesets have fractions; defaultDate() alone takes them. */
  readonly time: number
  /** Seconds west of UTC. */
  readonly timezoneSeconds: number
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const

/** `Tue Nov 14 22:13:22 2023 +0000`, the form in log's default output. */
export function defaultDate(date: HgDate): string {
  const local = localTime(date)
  const day = DAYS[local.getUTCDay()] ?? ''
  const month = MONTHS[local.getUTCMonth()] ?? ''
  const clock = `${clockMinutes(local)}:${two(local.getUTCSeconds())}`
  return `${day} ${month} ${two(local.getUTCDate())} ${clock} ${local.getUTCFullYear()} ${zone(date, '')}`
}

/** `1700000002 0`: seconds and zone as they are stored. */
export function hgDate(date: HgDate): string {
  return `${date.time} ${date.timezoneSeconds}`
}

/** `2023-11-14 22:13 +0000`. */
export function isoDate(date: HgDate): string {
  return `${shortDate(date)} ${clockMinutes(localTime(date))} ${zone(date, '')}`
}

/** `2023-11-14`. */
export function shortDate(date: HgDate): string {
  const local = localTime(date)
  return `${local.getUTCFullYear()}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`
}

/** `2023-11-14T22:13:22+00:00`. */
export function rfc3339Date(date: HgDate): string {
  const local = localTime(date)
  const clock = `${clockMinutes(local)}:${two(local.getUTCSeconds())}`
  return `${shortDate(date)}T${clock}${zone(date, ':')}`
}

/** `1700000002.00`: what Mercurial prints for `{date}` without a filter. */
export function plainDate(date: HgDate): string {
  return `${date.time}.0${date.timezoneSeconds}`
}

/** What Mercurial (6.3) shows of a wall clock: earlier and later ones come out as these. */
const FIRST_SECOND = -(2 ** 31)
const LAST_SECOND = 2 ** 31 - 1

/** The wall clock of the recorded zone, to be read with the UTC getters. */
function localTime({ time, timezoneSeconds }: HgDate): Date {
  const seconds = Math.floor(time) - timezoneSeconds
  return new Date(Math.min(LAST_SECOND, Math.max(FIRST_SECOND, seconds)) * 1000)
}

function zone({ timezoneSeconds }: HgDate, separator: string): string {
  const minutes = Math.floor(Math.abs(timezoneSeconds) / 60)
  const sign = timezoneSeconds > 0 ? '-' : '+'
  return `${sign}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`
}

function clockMinutes(local: Date): string {
  return `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}
