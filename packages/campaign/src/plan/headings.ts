/** The keys under which a block is printed, in the words of Mercurial's published campaigns. */
import { type EngineDeclaration, type Levels, placesIn } from '@assay/model'
import { engineTitle } from '../engine-title.ts'
import type { BlockVariant } from './block-variants.ts'
import { argumentsOf } from './uses-dataset.ts'

/**
 * Whether an engine's flavor is worth a heading: where there are several, or where it is a build of
 * its own that others are set against.
 */
export const showsFlavor = (engine: EngineDeclaration): boolean =>
  engine.flavors.length > 1 || engine.takes === 'version'

/** Whether the access mode has a meaning: a command has to ask for it. */
const showsMode = ({ benchmark, declaration, candidates }: BlockVariant): boolean =>
  declaration.takesCommand !== true ||
  candidates.some(({ command }) =>
    argumentsOf({ ...benchmark, command }, { levels: [] })
      .flatMap(placesIn)
      .includes('mode'),
  )

/** What all cells of a block have in common; the compared factor is not among it. */
export const headingsOf = (
  variant: BlockVariant,
  comparedFactor: string,
  flavored: boolean,
): Levels => {
  const { candidates } = variant
  const [first] = candidates
  const sameFlavor = candidates.every(({ engine }) => engine.flavor === first.engine.flavor)
  const parameters = Object.entries(first.parameters).filter(([name]) => name !== comparedFactor)
  return {
    ...(comparedFactor === 'dataset' || first.dataset === null
      ? {}
      : { 'data-env-vars.name': first.dataset.name }),
    'benchmark.name': first.benchmark,
    ...(comparedFactor === 'engine' ? {} : { 'bin-env-vars.engine': engineTitle(first.engine) }),
    ...(comparedFactor !== 'flavor' && flavored && sameFlavor
      ? { 'bin-env-vars.hg.flavor': first.engine.flavor }
      : {}),
    ...(comparedFactor === 'mode' || !showsMode(variant)
      ? {}
      : { 'bin-env-vars.mode': first.mode }),
    ...Object.fromEntries(parameters.map(([name, level]) => [`benchmark.variants.${name}`, level])),
  }
}
