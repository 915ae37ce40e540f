/** Reads `compare`: which factor, and its labelled levels in written order. */
import { type Compare, loopsPlace } from '@assay/model'
import { quoted } from '../did-you-mean.ts'
import {
  entryOf,
  type LocatedNode,
  type MapEntry,
  type TextNode,
  textsOf,
} from '../source/located-node.ts'
import { commandFactor, type Reading } from './reading.ts'

/** A label and level with their places. */
export interface LocatedLevel {
  readonly label: string
  readonly level: string
  readonly labelOffset: number
  readonly offset: number
  /** Program and arguments, where commands are compared. */
  readonly command?: readonly TextNode[]
}

/** `compare` as written. */
export interface LocatedCompare {
  readonly factor: string
  readonly factorOffset: number
  readonly levels: readonly LocatedLevel[]
}

const locatedLevels = (node: LocatedNode): readonly LocatedLevel[] => {
  if (node.kind === 'list') {
    return node.items.flatMap((item) =>
      item.kind === 'text'
        ? [{ label: item.text, level: item.text, labelOffset: item.offset, offset: item.offset }]
        : [],
    )
  }
  if (node.kind !== 'map') return []
  return node.entries.flatMap(({ key, keyOffset, value }) =>
    value.kind === 'text'
      ? [{ label: key, level: value.text, labelOffset: keyOffset, offset: value.offset }]
      : [],
  )
}

/** Compared commands: each label is its own level, so that the same command may be there twice. */
const locatedCommands = (node: LocatedNode): readonly LocatedLevel[] =>
  node.kind !== 'map'
    ? []
    : node.entries.map(({ key, keyOffset, value }) => ({
        ...{ label: key, level: key, labelOffset: keyOffset, offset: keyOffset },
        command: textsOf(value),
      }))

const checkLevels = (entry: MapEntry, { faults }: Reading): readonly LocatedLevel[] => {
  const levels =
    entry.key === commandFactor ? locatedCommands(entry.value) : locatedLevels(entry.value)
  if (levels.length === 0) {
    const message = `${entry.key} has no levels; list them, the baseline first`
    faults.add(entry.keyOffset, 'empty', message)
  }
  const seen = new Set<string>()
  for (const { level, offset } of levels) {
    if (seen.has(level)) {
      const message = `the level ${quoted(level)} is compared twice; to measure the baseline twice, set sampling.selfCheck: true`
      faults.add(offset, 'duplicate-level', message)
    }
    seen.add(level)
  }
  return levels
}

/** The compared factor; null where its faults were reported. */
export const readCompare = (reading: Reading): LocatedCompare | null => {
  const { root, faults } = reading
  const compare = entryOf(root, 'compare')
  if (compare?.value.kind !== 'map') return null
  const [first, second] = compare.value.entries
  if (first === undefined) {
    const message =
      'compare names no factor; write for instance compare: { mode: [no-mmap, mmap-populate] }'
    faults.add(compare.keyOffset, 'compare-one-factor', message)
    return null
  }
  if (second !== undefined) {
    const message = `compare takes one factor and has "${first.key}" already; list other levels in the benchmark's \`with\``
    faults.add(second.keyOffset, 'compare-one-factor', message)
    return null
  }
  if (first.key === loopsPlace) {
    const message =
      'loops cannot be compared, it is the number of inner repeats; choose another name'
    faults.add(first.keyOffset, 'reserved-name', message)
  }
  const levels = checkLevels(first, reading)
  return levels.length === 0 ? null : { factor: first.key, factorOffset: first.keyOffset, levels }
}

/** `compare` without its places. */
export const plainCompare = (compare: LocatedCompare): Compare => ({
  factor: compare.factor,
  levels: compare.levels.map(({ label, level, command }) => ({
    label,
    level,
    ...(command === undefined ? {} : { command: command.map(({ text }) => text) }),
  })),
})
