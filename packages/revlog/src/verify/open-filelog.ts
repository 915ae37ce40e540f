/**
 * A file's revlog as a check opens it: one that cannot be opened is a finding, not the end.
 */
import { RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import { openRevlog } from '../reader/open-revlog.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { Repository } from '../repository/open.ts'
import { revlogProblem } from './damage-words.ts'

/** The revlog, empty where there is none, or in words why it cannot be opened. Throws `system`. */
export function openFilelog(repository: Repository, path: ByteString): Revlog | string {
  const name = `data/${path}`
  try {
    return openRevlog({
      indexPath: repository.storePath(`${name}.i`),
      dataPath: repository.storePath(`${name}.d`),
      name,
      mode: 'no-mmap',
      whenMissing: 'empty',
    })
  } catch (cause) {
    if (!(cause instanceof RevlogError) || cause.code === 'system') throw cause
    return revlogProblem(name, cause)
  }
}
