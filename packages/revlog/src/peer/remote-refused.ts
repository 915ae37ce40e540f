/** What a remote says when it gives up in the middle of an answer. */
import type { BundlePart } from '../bundle/bundle.ts'
import { RevlogError } from '../errors.ts'

/** The error that a part `error:abort` tells of. */
export function remoteRefused({ parameters }: Pick<BundlePart, 'parameters'>): RevlogError {
  return new RevlogError('remote-refused', parameters.get('message') ?? 'the remote gave up')
}
