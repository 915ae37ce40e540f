/** What `--config storage.revlog.*` says of revisions that come from elsewhere. */
import { configFlag } from './config-values.ts'

/** How they are taken in. */
export interface ExchangeSettings {
  /** Keep the base that a delta came with (`reuse-external-delta-parent`). */
  readonly preferGiven: boolean
  /** Put swapped parents of copied files right (`issue6528.fix-incoming`). */
  readonly fixSwappedParents: boolean
}

/** The settings of a command. Throws `usage`. */
export function exchangeSettings(config: ReadonlyMap<string, string>): ExchangeSettings {
  return {
    preferGiven: configFlag(config, 'storage.revlog.reuse-external-delta-parent', false),
    fixSwappedParents: configFlag(config, 'storage.revlog.issue6528.fix-incoming', true),
  }
}
