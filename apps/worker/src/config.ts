/** The worker's configuration: its command line, parsed once. */
import { parseArgs } from 'node:util'
import { z } from 'zod'

const configSchema = z.strictObject({
  server: z.url({ protocol: /^https?$/ }),
  pool: z.string().min(1).default('default'),
  datasets: z.string().min(1),
  'host-lock': z.string().exactOptional(),
  /** Processors of measured children and of the worker: CHILD/DRIVER, e.g. 1/0. */
  pin: z.templateLiteral([z.string().min(1), '/', z.string().min(1)]).exactOptional(),
  /** The name under which blocks are taken. */
  name: z.string().exactOptional(),
})
export type WorkerConfig = z.infer<typeof configSchema>

const options = {
  server: { type: 'string' },
  pool: { type: 'string' },
  datasets: { type: 'string' },
  'host-lock': { type: 'string' },
  pin: { type: 'string' },
  name: { type: 'string' },
} as const

/** What is wrong with a command line, in words for a person. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const valuesOf = (argv: readonly string[]) => {
  try {
    return parseArgs({ args: [...argv], options }).values
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

/** Throws `ConfigError`. */
export const readConfig = (argv: readonly string[]): WorkerConfig => {
  const parsed = configSchema.safeParse(valuesOf(argv))
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`)
  throw new ConfigError(faults.join('; '))
}
