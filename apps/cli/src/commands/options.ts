/** Options that several commands share, and how their values are read. */

import type { KeyValue, Pinning } from '@assay/orchestrator'
import { InvalidArgumentError, Option } from 'commander'

/** `--db FILE`. */
export const dbOption = (): Option =>
  new Option('--db <file>', 'the store; default: the nearest .assay/assay.db')

/** `--json`. */
export const jsonOption = (): Option => new Option('--json', 'print JSON')

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
    throw new InvalidArgumentError('write CHILD/DRIVER, e.g. 1/0 or 2-3/0')
  }
  return { child, driver }
}

/** `--pin CHILD/DRIVER`. */
export const pinOption = (): Option =>
  new Option(
    '--pin <child/driver>',
    'keep measured children and Assay itself to processors of their own, e.g. 1/0',
  ).argParser(pinningOf)
