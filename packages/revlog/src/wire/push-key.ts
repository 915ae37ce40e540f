/**
 * The command pushkey: one bookmark or phase changed if it is still as the client saw it. Older
 * clients use it where newer ones send parts of a bundle.
 */
import type { ByteString } from '../format/byte-string.ts'
import type { RepositoryService } from '../peer/repository-service.ts'

/** Gives `1` and a line end if it was changed, else `0`. */
export function pushKey(
  service: RepositoryService,
  args: ReadonlyMap<string, ByteString>,
): ByteString {
  const { namespace = '', key = '', old = '', new: value = '' } = Object.fromEntries(args)
  return service.pushKey({ namespace, key, old, value }) ? '1\n' : '0\n'
}
