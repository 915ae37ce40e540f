/** The surface of how a benchmark is executed: commands, hooks, exit codes, output, repeats. */
import { type BenchmarkDeclaration, hookNames } from '@assay/model'
import { z } from 'zod'
import { quoted } from '../did-you-mean.ts'
import { count, flag } from './quantities.ts'
import { section } from './section.ts'
import { choiceOf } from './texts.ts'

const scalarTypes = ['string', 'number', 'boolean'] as const

/** Text that a system call takes: without NUL. */
const systemText = z
  .string()
  .max(10_000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends an argument
  .regex(/^[^\u0000]*$/, { error: 'an argument cannot hold a NUL character' })
  .meta({ type: [...scalarTypes] })

/** Program and arguments; `${parameter}`, `${mode}`, `${dataset}` and `${loops}` are filled in. */
export const commandSchema = z
  .array(systemText)
  .min(1)
  .max(1_000)
  .describe(
    'program and arguments, without a shell; $' +
      '{parameter}, $' +
      '{mode}, $' +
      '{dataset} and $' +
      '{loops} are filled in',
  )

const hookSummaries = {
  setup: "run once before a cell's first warmup, and again when a run is resumed",
  prepare: 'run before each sample, not timed',
  conclude: 'run after each sample, not timed',
  cleanup: 'run once at the end, whatever happened',
} as const

const hooksSchema = section(
  Object.fromEntries(
    hookNames.map((name) => [name, commandSchema.describe(hookSummaries[name]).exactOptional()]),
  ),
)

const exitCode = count({ least: 0, most: 255, summary: 'an exit code of a good sample' })
const exitCodesSchema = z
  .union([
    z
      .string()
      .regex(/^(?:any|0|[1-9]\d{0,8})$/, {
        error: ({ input }) =>
          `${quoted(String(input))} is no exit code; write a number from 0 to 255, a list of them, or any`,
      })
      .refine((text) => text === 'any' || Number(text) <= 255, {
        error: ({ input }) => `${String(input)} is out of range; it wants 0 to 255`,
      })
      .meta({ type: ['integer', 'string'] }),
    z.array(exitCode).min(1).max(256),
  ])
  .describe('exit codes of a good sample, or any; 0 by default')

const outputSchema = section({
  contains: systemText.min(1).describe('a text that must be somewhere in it').exactOptional(),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, {
      error: ({ input }) => `${quoted(String(input))} is no SHA-256; write its 64 hex digits`,
    })
    .describe('the digest that it must have')
    .exactOptional(),
  every: flag('check every sample, not only warmups; false by default').exactOptional(),
}).describe("what the child's stdout must be")

const loopsSchema = z
  .string()
  .regex(/^(?:auto|[1-9]\d{0,8})$/, {
    error: ({ input }) => `${quoted(String(input))} is no number of loops; write auto or a number`,
  })
  .meta({
    type: ['integer', 'string'],
    description:
      'what the place $' +
      '{loops} receives; auto (default) doubles it until a sample takes 100 ms',
  })

const envSchema = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, {
      error: ({ input }) =>
        `${quoted(String(input))} is no name of a variable; write letters, digits and _`,
    }),
    systemText,
  )
  .describe('variables of the child and its hooks; they have no others of yours')

/** As parameters are switched on and off, and as YAML does it. */
const freshCopyTexts = ['yes', 'no', 'true', 'false']

/** The keys that an entry of `benchmarks` takes beside its name and parameters. */
export const executionShape = ({ takesCommand }: BenchmarkDeclaration) => ({
  ...(takesCommand === true
    ? { command: commandSchema.exactOptional(), loops: loopsSchema.exactOptional() }
    : {}),
  hooks: hooksSchema.describe('commands around what is timed').exactOptional(),
  exitCodes: exitCodesSchema.exactOptional(),
  output: outputSchema.exactOptional(),
  env: envSchema.exactOptional(),
  parallel: count({
    least: 1,
    most: 128,
    summary: 'children started at once in one sample; 1 by default',
  }).exactOptional(),
  freshCopy: choiceOf('value of freshCopy', freshCopyTexts)
    .describe(
      'copy the dataset anew before each sample, which may then write into it; no by default',
    )
    .exactOptional(),
})
