/** Options that several commands share, and how their values are read. */

import type { KeyValue, Pinning } from '@assay/orchestrator'
import { InvalidArgumentError, Option } from 'commander'

/** `--db FILE`. */
export const dbOption = (): Option =>
  new Option('--db <file>', 'the store; default: the nearest .assay/assay.db')

/** `--json`. */
export const jsonOption = (what = 'print JSON'): Option => new Option('--json', what)

/** `KEY=VALUE`, collected over repeated options. */
export const collectKeyValue = (text: string, previous: readonly KeyValue[]): KeyValue[] => {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('write KEY=VALUE, e.g. dataset=netbeans')
  return [...previous, { key: text.slice(0, at), value: text.slice(at + 1) }]
}

/** What the options that shape a plan were parsed to. */
export interface PlanOptions {
  readonly seed?: string
  readonly only: KeyValue[]
  readonly skip: KeyValue[]
  readonly quick?: boolean
}

/** `--only`, `--skip`, `--quick`, `--seed`. */
export const planOptions = (): Option[] => [
  new Option('--only <key=value>', 'only blocks with this heading, e.g. benchmark=hg.command.log')
    .argParser(collectKeyValue)
    .default([], 'all'),
  new Option('--skip <key=value>', 'no blocks with this heading')
    .argParser(collectKeyValue)
    .default([], 'none'),
  new Option('--quick', '5 rounds a block: a first look, not meant for a decision'),
  new Option('--seed <text>', 'decides the order inside each round; default: drawn anew'),
]

const pinningOf = (text: string): Pinning => {
  const [child, driver, ...rest] = text.split('/')
  if (!child || !driver || rest.length > 0) {
    throw new InvalidArgumentError('write CHILDREN/OWN, e.g. 1/0 or 2-3/0')
  }
  return { child, driver }
}

/** What `--pin` does, when it helps, and when it harms. */
export const pinningText =
  'processors for the measured children / for Assay itself, e.g. 1/0 or 2-3/0: neither disturbs the other, and no child moves while it runs. `assay doctor` measures whether this host is quieter so. Not for what runs several threads at once, as mode mmap-populate-thread does, unless its side has as many processors. Part of the fingerprint: runs pinned otherwise are another host'

/** `--pin CHILDREN/OWN`. */
export const pinOption = (): Option =>
  new Option('--pin <children/own>', pinningText).argParser(pinningOf)
