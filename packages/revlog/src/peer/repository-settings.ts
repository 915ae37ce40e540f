/**
 * The settings of one repository that an exchange needs, from its .hg/hgrc: a file of `[section]`s
 * with `name = value` lines (`hg help config.files`). Files that it includes are not read.
 */
import type { Repository } from '../repository/open.ts'

/** Settings by `section.name`, of equal names the last one. */
export function readSettings(repository: Repository): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  const text = repository.metaFile('hgrc')?.toString('utf8') ?? ''
  let section = ''
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = /^\[([^\]]+)\]/.exec(line) ?? []
    if (heading !== undefined) section = heading
    const [, name, value] = /^([^\s#;=[][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) settings.set(`${section}.${name}`, value)
  }
  return settings
}

/** Whether what is pushed to the repository becomes public there (`phases.publish`; on if not set). */
export function isPublishing(settings: ReadonlyMap<string, string>): boolean {
  return !/^(0|no|false|off|never)$/i.test(settings.get('phases.publish') ?? 'yes')
}
