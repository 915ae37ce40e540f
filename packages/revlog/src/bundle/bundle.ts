/**
 * The words of bundles: a file or stream with changesets and what goes with them, in parts. Sources:
 * `hg help internals.bundles` and `internals.bundle2`. Opening and writing are the neighbours' work.
 */
import type { ByteInput } from '../bytes/byte-input.ts'

/** How the body of a bundle is compressed. */
export type BundleCompression = 'none' | 'gzip' | 'bzip2' | 'zstd'

/** One part of a bundle. */
export interface BundlePart {
  /** In lower case. */
  readonly name: string
  /** A reader that does not know it must refuse the bundle. */
  readonly mandatory: boolean
  readonly id: number
  /** Mandatory and advisory parameters, in stored order. */
  readonly parameters: ReadonlyMap<string, string>
  /** Those of them that a reader must know. */
  readonly mandatoryParameters: ReadonlySet<string>
  /** The content, which must be read before the next part is asked for (the rest is skipped). */
  readonly payload: ByteInput
}

/** An opened bundle. */
export interface Bundle {
  /** HG10 gives a single part `changegroup` with version 01. */
  readonly format: 'HG10' | 'HG20'
  readonly compression: BundleCompression
  /** Parameters of the whole stream; none in HG10. */
  readonly parameters: ReadonlyMap<string, string>
  /** The parts in order, asked for once. */
  parts(): Iterable<BundlePart>
}
