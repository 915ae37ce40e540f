/** Everything that a campaign may name, in this version. */
import type { Catalogue } from '@assay/model'
import { benchmarks } from './benchmarks/index.ts'
import { formats, presets, sources } from './datasets/index.ts'
import { engines } from './engines/index.ts'

export const catalogue: Catalogue = { benchmarks, engines, presets, formats, sources }
