/**
 * The YAML surface of a campaign as zod schemas, one a section: what keys there are and what each
 * value looks like by itself. The JSON Schema for editors is generated from the same schemas. What
 * sections say about each other is checked by the readers in `parse/`.
 */
import {
  accessModeSchema,
  type BenchmarkDeclaration,
  type Catalogue,
  type EngineDeclaration,
} from '@assay/model'
import { z } from 'zod'
import { quoted } from '../did-you-mean.ts'
import { datasetSchema } from './dataset.ts'
import { commandSchema, executionShape } from './execution.ts'
import { count, duration, durationOrNone, flag, percentage, roundsRange } from './quantities.ts'
import { section } from './section.ts'
import {
  choiceOf,
  datasetName,
  labelText,
  levelText,
  oneOrMore,
  parameterLevel,
  parameterName,
  poolName,
} from './texts.ts'
import { verdictSection } from './verdict.ts'

const mode = choiceOf('access mode', accessModeSchema.options)

const comparedLevels = (level: z.ZodType<string>) =>
  z.union([z.array(level).min(1), z.record(labelText, level)])

const compareSchema = (catalogue: Catalogue) => {
  const parameters = catalogue.benchmarks.flatMap((benchmark) => benchmark.parameters)
  const levels = comparedLevels(levelText)
  return z
    .object({
      mode: comparedLevels(mode).describe('how index files are read').exactOptional(),
      engine: levels.describe('engines, such as revlog or "hg 7.2.4"').exactOptional(),
      flavor: levels.describe('flavors of the engines').exactOptional(),
      dataset: levels.describe('names from `datasets`').exactOptional(),
      command: z
        .record(labelText, commandSchema)
        .meta({
          minProperties: 1,
          description: 'whole commands of exec, label: [program, argument]',
        })
        .exactOptional(),
      ...Object.fromEntries(
        parameters.map(({ name, summary }) => [name, levels.describe(summary).exactOptional()]),
      ),
    })
    .catchall(levels)
    .meta({
      minProperties: 1,
      maxProperties: 1,
      description:
        'The factor that is compared: a list of levels, or a map label: level. The first is the baseline.',
    })
}

const engineSchema = (engines: readonly EngineDeclaration[]) => {
  const named = engines.filter((engine) => engine.takes !== undefined)
  const ofEngine = (engine: EngineDeclaration) =>
    levelText.describe(`${engine.summary}: its ${engine.takes}`).exactOptional()
  return z.union([
    levelText.meta({ examples: engines.map((engine) => engine.name) }),
    section({
      name: choiceOf(
        'engine',
        engines.map((engine) => engine.name),
      ).exactOptional(),
      ...Object.fromEntries(named.map((engine) => [engine.name, ofEngine(engine)])),
      flavor: oneOrMore(levelText).exactOptional(),
    }),
  ])
}

const parametersSchema = (benchmark: BenchmarkDeclaration) =>
  benchmark.takesCommand === true
    ? z.record(parameterName, oneOrMore(levelText))
    : section(
        Object.fromEntries(
          benchmark.parameters.map((parameter) => [
            parameter.name,
            oneOrMore(parameterLevel(parameter)).exactOptional(),
          ]),
        ),
      )

const benchmarkMap = (benchmark: BenchmarkDeclaration) =>
  section({
    name: z.literal(benchmark.name).describe(benchmark.summary),
    with: parametersSchema(benchmark)
      .describe('parameters: one level each, or a list to measure each of')
      .exactOptional(),
    ...executionShape(benchmark),
  })

const benchmarkSchema = (benchmarks: readonly BenchmarkDeclaration[]): z.ZodType => {
  const names = benchmarks.map((benchmark) => benchmark.name)
  const [first, ...rest] = benchmarks.map(benchmarkMap)
  const name = choiceOf('benchmark', names)
  if (first === undefined) return name
  // The error of an unknown name is the list of those that are known.
  const map = z.discriminatedUnion('name', [first, ...rest], { error: () => names.join('\n') })
  return z.union([name, map])
}

const samplingSection = () =>
  section({
    rounds: roundsRange({
      most: 10_000,
      summary: 'fewest and most rounds, such as 20..60 (default), or 30 for exactly 30',
    }).exactOptional(),
    precision: percentage({
      least: 0.01,
      most: 100,
      summary: 'rounds stop once each interval is that narrow; 1% by default',
    }).exactOptional(),
    warmups: count({
      least: 0,
      most: 1_000,
      summary: 'rounds before the first that are not judged; 1 by default',
    }).exactOptional(),
    cache: choiceOf('cache state', ['warm', 'cold'])
      .describe('page cache at the start of a sample; warm by default')
      .exactOptional(),
    budget: durationOrNone({
      least: 1,
      most: 30 * 86_400,
      summary: 'the longest the whole run may measure, or none (default)',
    }).exactOptional(),
    selfCheck: flag(
      'measure each baseline twice, to know the noise; false by default',
    ).exactOptional(),
    timeout: duration({
      least: 0.1,
      most: 86_400,
      summary: 'the longest one sample may take; 10m by default',
    }).exactOptional(),
  })

/** Each section's schema by its key. The schemas read plain values of `plainOf`. */
export const surfaceOf = (catalogue: Catalogue) => ({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._ -]{0,79}$/, {
      error: ({ input }) =>
        `${quoted(String(input))} cannot name a campaign; use letters, digits, spaces and . _ -`,
    })
    .meta({
      description: "the campaign's name; the file's by default",
      type: ['string', 'number'],
    }),
  description: z
    .string()
    .max(20_000)
    .meta({ description: 'what is asked and why, for people', type: ['string', 'number'] }),
  mode: mode.describe(
    'access mode of all cells where modes are not compared; mmap-populate-thread by default',
  ),
  compare: compareSchema(catalogue),
  engines: z.array(engineSchema(catalogue.engines)).min(1).describe('what executes'),
  datasets: z.record(datasetName, datasetSchema(catalogue)).describe('repositories by name'),
  benchmarks: z.array(benchmarkSchema(catalogue.benchmarks)).min(1).describe('what is timed'),
  pool: z
    .union([poolName, z.array(poolName).min(1).max(100)])
    .describe(
      'the class of hosts that measures it, or a list of classes that each measure everything; default by default',
    ),
  exclude: z
    .array(z.record(z.string(), levelText).meta({ minProperties: 1 }))
    .describe(
      'selections that are not measured; keys: mode, benchmark, dataset, engine, flavor or a parameter',
    ),
  sampling: samplingSection().describe('how often and how long is measured'),
  verdict: verdictSection(catalogue).describe('what counts as a change'),
})
export type Surface = ReturnType<typeof surfaceOf>
