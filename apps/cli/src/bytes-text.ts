/** Sizes as a person reads them. */

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** `830 bytes`, `4.4 kB`, `1.2 GB`. */
export const bytesText = (bytes: number): string => {
  let [value, at] = [bytes, 0]
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at += 1
  }
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`
}
