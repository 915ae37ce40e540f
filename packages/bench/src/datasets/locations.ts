/**
 * Where a dataset may be taken from: a path of this host, or a URL whose scheme starts no program of
 * the one who wrote it. Programs get these texts as arguments: nothing in them may pass for an option.
 */
import { resolve } from 'node:path'
import type { DatasetSpec } from '@assay/model'

/** A place that is no URL. */
export const isPath = (location: string): boolean => !location.includes('://')

/** A path as one of a folder, by default of this process's; a URL as it is. */
export const absolute = (location: string, folder = '.'): string =>
  isPath(location) ? resolve(folder, location) : location

/**
 * A dataset whose path, if it comes from one, is that of whoever wrote it in `folder`. What will be
 * refused for passing for an option stays as it is written.
 */
export const locatedDataset = (dataset: DatasetSpec, folder: string): DatasetSpec => {
  if (!('source' in dataset) || dataset.source.location.startsWith('-')) return dataset
  const { source } = dataset
  return { ...dataset, source: { ...source, location: absolute(source.location, folder) } }
}

const urlPattern = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i

/** A user, perhaps, and a host, neither of which begins as an option of ssh would. */
const authorityPattern =
  /^(?:[A-Za-z0-9_][^@:]*@)?(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?$/

const hasControls = (text: string): boolean => /\p{Cc}/u.test(text)

const refuseUrl = (location: string, schemes: readonly string[]): string | null => {
  const [, scheme = '', authority = ''] = urlPattern.exec(location) ?? []
  if (!schemes.includes(scheme.toLowerCase())) {
    const known = schemes.length === 0 ? 'a path' : `a path or a URL of ${schemes.join(', ')}`
    return `write ${known}`
  }
  if (/^[^@]*:[^@]*@/.test(authority)) {
    return 'it has a password, which would be stored and shown; leave it out'
  }
  return authorityPattern.test(authority) ? null : `"${authority}" is no name of a host`
}

/** Why a place is refused, given the schemes of URLs that are known; null for a good one. */
export const refuseLocation = (location: string, schemes: readonly string[]): string | null => {
  if (location === '' || location.length > 2000) return 'write 1 to 2000 characters'
  if (hasControls(location)) return 'it has control characters'
  if (location.startsWith('-')) return 'it begins as an option does; write ./ in front of a path'
  if (!isPath(location)) return refuseUrl(location, schemes)
  // `host:path`, `ext::command`, `bundle:file`: short forms of programs, not paths.
  return /^[^/]*:/.test(location)
    ? 'it has a colon in its first part; write ssh://host/path for another host, ./ in front of a path'
    : null
}

/** The last part of a place, as far as it can be part of a folder's name. */
export const locationLabel = (location: string): string => {
  const [path = ''] = location.split(/[?#]/)
  // A `.git` or `.hg` is named after the folder that it is in.
  const last =
    path
      .replace(/\/+(\.git|\.hg)?\/*$/, '')
      .split('/')
      .at(-1) ?? ''
  const label = last
    .replace(/\.(tar|tgz|tar\.[a-z0-9]+|git)$/i, '')
    .replace(/[^A-Za-z0-9._+-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return label.slice(0, 60) || 'dataset'
}
