/**
 * What `exclude` may name. Of a campaign that is read, exactly what it has; of one with faulty
 * sections, all that they could mean once they are mended, so that nothing is called a fault that
 * is none.
 */
import { accessModeSchema, type Campaign } from '@assay/model'
import { selectableKeys, selectableTexts } from '../plan/selections.ts'
import { entryOf, itemsOf, type LocatedNode, textOf, textsOf } from '../source/located-node.ts'
import { datasetNamesOf } from './read-dataset.ts'
import { defaultMode, type Reading, reservedFactors } from './reading.ts'

/** Keys of a selection and the texts that each may have; null: any, as far as it is known. */
export interface Selectables {
  readonly keys: readonly string[]
  readonly textsOf: (key: string) => readonly string[] | null
}

/** Of a campaign all of whose sections are read. */
export const exactSelectables = (campaign: Campaign): Selectables => ({
  keys: selectableKeys(campaign),
  textsOf: (key) => selectableTexts(campaign, key),
})

const entriesOf = (node: LocatedNode | undefined) => (node?.kind === 'map' ? node.entries : [])

/** Labels and levels under the compared factor, as far as they are texts. */
const comparedTexts = (node: LocatedNode): readonly string[] => [
  ...textsOf(node).map(({ text }) => text),
  ...entriesOf(node).flatMap(({ key, value }) => [key, ...textsOf(value).map(({ text }) => text)]),
]

/** Of a campaign with faulty sections: what is written, and what the catalogue would accept. */
export const possibleSelectables = (
  { root, catalogue }: Reading,
  { isCompareFaulty }: { readonly isCompareFaulty: boolean },
): Selectables => {
  const written = itemsOf(entryOf(root, 'benchmarks')?.value)
  const compared = entriesOf(entryOf(root, 'compare')?.value)
  const parameters = [
    ...written.flatMap((item) => entriesOf(entryOf(item, 'with')?.value)),
    ...catalogue.benchmarks.flatMap((benchmark) =>
      benchmark.parameters.map(({ name }) => ({ key: name })),
    ),
  ].map(({ key }) => key)
  const factors = compared.map(({ key }) => key)
  const levels = (key: string): readonly string[] =>
    compared.filter((entry) => entry.key === key).flatMap(({ value }) => comparedTexts(value))
  return {
    keys: [...new Set([...reservedFactors, ...factors, ...parameters])],
    textsOf: (key) => {
      // The label of a level that is still to be mended may be any.
      if (factors.includes(key) && isCompareFaulty) return null
      if (key === 'mode') {
        const set = textOf(entryOf(root, 'mode')?.value) ?? defaultMode
        return [...new Set([...levels(key), set, ...accessModeSchema.options])]
      }
      if (key === 'benchmark') return catalogue.benchmarks.map(({ name }) => name)
      if (key !== 'dataset' || factors.includes(key)) return null
      const names = entriesOf(entryOf(root, 'datasets')?.value).flatMap(datasetNamesOf)
      return names.length === 0 ? null : names
    },
  }
}
