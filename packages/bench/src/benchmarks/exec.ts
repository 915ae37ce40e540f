/** `exec`: any program with literal arguments, for whatever has no benchmark of its own. */
import type { BenchmarkDeclaration } from '@assay/model'

export const exec: BenchmarkDeclaration = {
  name: 'exec',
  version: 1,
  summary: 'run a program with literal arguments; needs the engine exec',
  parameters: [],
  needsDataset: false,
  mutatesRepository: false,
  needsRemote: false,
  takesCommand: true,
}
