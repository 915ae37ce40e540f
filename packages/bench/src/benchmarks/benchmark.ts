/** What a benchmark declares beyond what a campaign must know: the inputs of its samples. */
import type { BenchmarkDeclaration } from '@assay/model'

/** A benchmark with what has to lie ready before each of its samples. */
export interface Benchmark extends BenchmarkDeclaration {
  /**
   * Who lacks the revisions of its parameter `revs`: the measured repository, as where a bundle of
   * them is added to it, or the other one, which they are sent to. Absent: nobody.
   */
  readonly lacking?: 'dataset' | 'remote'
}
