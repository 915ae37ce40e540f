/**
 * Compressors and decompressors that work piece by piece, so that memory does not grow with a stream:
 * what the neighbours bind (zlib, bzip2, Zstandard) has this one shape. What a stream means and how
 * long it may be is left to others.
 */

/** What one step did. */
export interface StreamStep {
  /** Bytes of the input buffer that were used. */
  readonly consumed: number
  /** Bytes of the output buffer that were filled. */
  readonly produced: number
  /** The stream is complete: reading found its end, or finishing wrote it. */
  readonly done: boolean
}

/** A codec in the middle of one stream, until close(). */
export interface StreamCodec {
  /** Where input is put before a step. */
  readonly input: Uint8Array
  /** Where a step puts its output. */
  readonly output: Uint8Array
  /**
   * Goes on with input bytes start..end. Writers are told by `finish` that no input follows. Throws a
   * plain Error on what the library refuses.
   */
  step(start: number, end: number, finish: boolean): StreamStep
  /** Gives the memory back; the second call does nothing. */
  close(): void
}

/** Bytes of each codec's input buffer. */
export const STREAM_INPUT_BYTES = 65_536

/** Bytes of each codec's output buffer. */
export const STREAM_OUTPUT_BYTES = 131_072
