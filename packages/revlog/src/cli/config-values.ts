/**
 * Values of `--config`, as Mercurial reads them.
 */
import { RevlogError } from '../errors.ts'

const YES = /^(1|yes|true|on|always)$/i
const NO = /^(0|no|false|off|never)$/i

/** A setting that is on or off. Throws `usage` in Mercurial's words. */
export function configFlag(
  config: ReadonlyMap<string, string>,
  key: string,
  otherwise: boolean,
): boolean {
  const text = config.get(key)
  if (text === undefined) return otherwise
  if (YES.test(text)) return true
  if (NO.test(text)) return false
  throw new RevlogError('usage', `${key} is not a boolean ('${text}')`)
}

/** A setting in whole seconds. Throws `usage` in Mercurial's words. */
export function configSeconds(
  config: ReadonlyMap<string, string>,
  key: string,
  otherwise: number,
): number {
  const text = config.get(key)
  if (text === undefined) return otherwise
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw new RevlogError('usage', `${key} is not a valid integer ('${text}')`)
}
