/** Checks the `${name}` places of commands and hooks against what a benchmark's cells have. */
import { datasetPlace, loopsPlace, placesIn } from '@assay/model'
import { unknownName } from '../did-you-mean.ts'
import type { MapEntry, TextNode } from '../source/located-node.ts'
import type { LocatedCompare } from './read-compare.ts'
import { commandFactor, type Reading, reservedFactors } from './reading.ts'

/** What one benchmark says, as far as places are concerned. */
export interface PlacedBenchmark {
  /** Its commands, one a compared command; none where it takes none. */
  readonly commands: readonly (readonly TextNode[])[]
  readonly hooks: readonly TextNode[]
  /** Names of the parameters that its cells have. */
  readonly parameters: readonly string[]
  /** The parameters that are written. */
  readonly written: readonly MapEntry[]
  readonly mayUseDataset: boolean
  readonly offset: number
}

const checkKnown = (
  texts: readonly TextNode[],
  known: readonly string[],
  { faults }: Reading,
): void => {
  for (const { text, offset } of texts) {
    for (const place of placesIn(text).filter((name) => !known.includes(name))) {
      const places = known.map((name) => `$\{${name}}`)
      const words = unknownName('place', `$\{${place}}`, places)
      faults.add(offset, 'unknown-place', `${words} (write $$\{ for a literal $\{)`)
    }
  }
}

/** Every place has a factor, and of a command, what varies is used. */
export const checkPlaces = (
  placed: PlacedBenchmark,
  compare: LocatedCompare | null,
  reading: Reading,
): void => {
  const { commands, hooks, parameters, written, offset } = placed
  const factor = compare?.factor
  const compared =
    factor === undefined || reservedFactors.some((name) => name === factor) ? [] : [factor]
  const dataset = placed.mayUseDataset ? [datasetPlace] : []
  const known = ['mode', ...parameters.filter((name) => name !== factor), ...compared, ...dataset]
  checkKnown(commands.flat(), [...known, loopsPlace], reading)
  checkKnown(hooks, known, reading)
  if (commands.length === 0) return
  const used = new Set([...commands.flat(), ...hooks].flatMap(({ text }) => placesIn(text)))
  for (const { key, keyOffset } of written.filter(({ key }) => !used.has(key))) {
    const message = `the command does not use ${key}; put $\{${key}} into it, or remove the parameter`
    reading.faults.add(keyOffset, 'unused-parameter', message)
  }
  const varied = factor === 'mode' ? 'mode' : compared[0]
  if (varied !== undefined && factor !== commandFactor && !used.has(varied)) {
    const message = `${varied} is compared, but the command is the same for all; put $\{${varied}} into it`
    reading.faults.add(offset, 'nothing-varies', message)
  }
}
