/**
 * YAML text to a campaign, or to everything that is wrong with it. Three steps: the text becomes
 * located nodes; each section is checked by its schema; the readers relate sections to each other
 * and write every shorthand out. A section's faults keep back only the checks that need it.
 */
import {
  type Campaign,
  type Catalogue,
  primaryMetric,
  type Sampling,
  samplingSchema,
  type VerdictRules,
  verdictRulesSchema,
} from '@assay/model'
import type { z } from 'zod'
import { collectFaults, type Diagnostic } from '../diagnostic.ts'
import { unknownName } from '../did-you-mean.ts'
import { blockVariants } from '../plan/block-variants.ts'
import { countCombinations, mostCells } from '../plan/count-cells.ts'
import { selfCheckLabel } from '../plan/expand-campaign.ts'
import { entryOf, type MapNode, plainOf, textOf } from '../source/located-node.ts'
import { readYaml } from '../source/read-yaml.ts'
import { explainIssue } from '../surface/explain.ts'
import { type Surface, surfaceOf } from '../surface/surface.ts'
import { checkCold } from './check-cold.ts'
import { readBenchmarks } from './read-benchmarks.ts'
import { type LocatedCompare, plainCompare, readCompare } from './read-compare.ts'
import { checkOrigins } from './read-dataset.ts'
import { readDatasets } from './read-datasets.ts'
import { readEngines } from './read-engines.ts'
import { checkExclude, readExclude } from './read-exclude.ts'
import { defaultMode, type Reading } from './reading.ts'

/** Where a campaign comes from and what it may name. */
export interface ParseOptions {
  /** The file's name: printed with each fault, and the campaign's name if it gives none. */
  readonly file: string
  readonly catalogue: Catalogue
}

/** A campaign, or at least one diagnostic. */
export type ParsedCampaign =
  | { readonly ok: true; readonly campaign: Campaign }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

const nameFrom = (file: string): string => {
  const base = file.split(/[/\\]/).at(-1) ?? ''
  const name = base
    .replace(/\.ya?ml$/i, '')
    .replaceAll(/[^A-Za-z0-9._ -]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return name === '' ? 'campaign' : name.slice(0, 80)
}

/** Checks one section by its schema; undefined where it is missing or has faults. */
const readSection = <Value>(
  key: keyof Surface,
  schema: z.ZodType<Value>,
  { root, faults }: Reading,
): Value | undefined => {
  const entry = entryOf(root, key)
  if (entry === undefined || entry.value.kind === 'hole') return undefined
  const result = schema.safeParse(plainOf(entry.value))
  if (result.success) return result.data
  for (const issue of result.error.issues) explainIssue(issue, [key], { root, faults })
  return undefined
}

const checkKeys = (root: MapNode, surface: Surface, { faults }: Reading): void => {
  const keys = Object.keys(surface)
  for (const { key, keyOffset } of root.entries) {
    if (!keys.includes(key)) faults.add(keyOffset, 'unknown-key', unknownName('key', key, keys))
  }
  const examples = {
    compare: 'compare: { mode: [mmap-populate, mmap-no-populate] }',
    benchmarks: 'benchmarks: [hg.command.log]',
  } as const
  for (const [key, example] of Object.entries(examples)) {
    if (entryOf(root, key) !== undefined) continue
    faults.add(
      root.offset,
      'missing-key',
      `the campaign has no "${key}"; write for instance ${example}`,
    )
  }
}

interface Rules {
  readonly sampling: Sampling
  readonly verdict: VerdictRules
}

/** Sampling and verdict rules with what a campaign leaves out. */
const readRules = (surface: Surface, reading: Reading): Rules => {
  const sampling = readSection('sampling', surface.sampling, reading) ?? {}
  const verdict = readSection('verdict', surface.verdict, reading) ?? {}
  return {
    sampling: samplingSchema.parse({
      rounds: sampling.rounds ?? { min: 20, max: 60 },
      precision: sampling.precision ?? 0.01,
      warmups: sampling.warmups ?? 1,
      cache: sampling.cache ?? 'warm',
      budgetSeconds: sampling.budget ?? null,
      selfCheck: sampling.selfCheck ?? false,
      timeoutSeconds: sampling.timeout ?? 600,
    }),
    verdict: verdictRulesSchema.parse({
      metrics: verdict.metrics ?? [primaryMetric],
      threshold: verdict.threshold ?? 0.01,
      tolerance: verdict.tolerance ?? 0.02,
      minDifferenceSeconds: verdict.minDifference ?? 0,
      falseDiscoveryRate: verdict.falseDiscoveryRate ?? 0.05,
    }),
  }
}

const checkCompare = (compare: LocatedCompare, selfCheck: boolean, reading: Reading): void => {
  const { root, faults } = reading
  const mode = entryOf(root, 'mode')
  if (mode !== undefined && compare.factor === 'mode') {
    faults.add(mode.keyOffset, 'compared-and-set', 'mode is compared; remove this line')
  }
  const again = selfCheckLabel(compare.levels[0]?.label ?? '')
  const taken = compare.levels.find(({ label }) => label === again)
  if (selfCheck && taken !== undefined) {
    const message = `the label "${again}" is the self-check's; choose another`
    faults.add(taken.labelOffset, 'label-taken', message)
  }
}

/** Too many cells, or none left. */
const checkSize = (campaign: Campaign, { root, catalogue, faults }: Reading): void => {
  const count = countCombinations(campaign, catalogue)
  const offset = entryOf(root, 'benchmarks')?.keyOffset ?? 0
  if (count > mostCells) {
    const digits = count.toString()
    const shown = digits.length > 15 ? `about 10^${digits.length - 1}` : digits
    const message = `the campaign has ${shown} cells and at most ${mostCells} are taken; list fewer levels, or split it`
    faults.add(offset, 'too-many-cells', message)
  } else if (blockVariants(campaign, catalogue).next().done === true) {
    const at = entryOf(root, 'exclude')?.keyOffset ?? offset
    faults.add(at, 'no-cells', 'nothing is left to measure; exclude less')
  }
}

/** Whether a section passes its schema; a missing one passes, since it has defaults. */
const passes = (key: keyof Surface, surface: Surface, reading: Reading): boolean => {
  const before = reading.faults.count()
  readSection<unknown>(key, surface[key], reading)
  return reading.faults.count() === before && entryOf(reading.root, key)?.value.kind !== 'hole'
}

/** Nothing where the campaign says nothing: it is then what it always was. */
const readPools = (surface: Surface, reading: Reading): Pick<Campaign, 'pools'> => {
  const pool = readSection('pool', surface.pool, reading)
  if (pool === undefined) return {}
  return { pools: [...new Set(typeof pool === 'string' ? [pool] : pool)] }
}

/** Relates the sections to each other. What depends on a faulty section is not read. */
const relate = (reading: Reading, surface: Surface, file: string): Campaign | null => {
  const rules = readRules(surface, reading)
  const compare = passes('compare', surface, reading) ? readCompare(reading) : null
  if (compare !== null) checkCompare(compare, rules.sampling.selfCheck, reading)
  const timed = passes('benchmarks', surface, reading)
  const benchmarks = timed ? readBenchmarks(compare, reading) : []
  const engined = passes('engines', surface, reading)
  const engines = engined ? readEngines(compare, benchmarks, reading) : []
  checkOrigins(reading)
  const stored = passes('datasets', surface, reading)
  const datasets = stored ? readDatasets(compare, benchmarks, reading) : []
  passes('exclude', surface, reading)
  const campaign = {
    name: readSection('name', surface.name, reading) ?? nameFrom(file),
    description: readSection('description', surface.description, reading) ?? '',
    mode: readSection('mode', surface.mode, reading) ?? defaultMode,
    engines,
    datasets,
    benchmarks,
    ...rules,
    ...readPools(surface, reading),
  }
  if (compare === null || benchmarks.length === 0 || engines.length === 0 || !stored) {
    checkExclude({ isCompareFaulty: compare === null }, reading)
    return null
  }
  const whole: Campaign = { ...campaign, compare: plainCompare(compare), exclude: [] }
  checkCold(whole, reading)
  const exclude = readExclude(whole, reading)
  if (reading.faults.count() === 0) checkSize({ ...whole, exclude }, reading)
  return { ...whole, exclude }
}

/**
 * Reads a campaign. Never throws for any text: what is wrong comes back as diagnostics, sorted by
 * place, each saying what would be right.
 */
export const parseCampaign = (text: string, options: ParseOptions): ParsedCampaign => {
  const { file, catalogue } = options
  const faults = collectFaults(file, text)
  const root = readYaml(text, faults)
  if (root?.kind === 'map') {
    const reading = { catalogue, faults, root }
    const surface = surfaceOf(catalogue)
    checkKeys(root, surface, reading)
    const campaign = relate(reading, surface, file)
    if (campaign !== null && faults.count() === 0) return { ok: true, campaign }
  } else if (root !== null && root.kind !== 'hole') {
    const written = textOf(root) === undefined ? 'a list' : 'a text'
    const message = `a campaign is a map with keys such as compare and benchmarks, not ${written}`
    faults.add(root.offset, 'wrong-type', message)
  }
  return { ok: false, diagnostics: faults.list() }
}
