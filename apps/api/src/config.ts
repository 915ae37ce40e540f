/** The server's configuration: its command line, parsed once. */
import { parseArgs } from 'node:util'
import { defaultLeaseMillis } from '@assay/orchestrator'
import { z } from 'zod'
import { configInvalid } from './errors.ts'

const configSchema = z.strictObject({
  /** The address to listen on; any but the loopback lets other machines in, with tokens. */
  host: z.string().min(1).default('127.0.0.1'),
  /** 0 takes a free port. */
  port: z.coerce.number().int().min(0).max(65_535).default(7357),
  db: z.string().min(1),
  /** The folder of campaigns that a run can name. */
  campaigns: z.string().min(1).default('campaigns'),
  /** The program of a worker to start on this host; absent starts none. */
  'embedded-worker': z.string().exactOptional(),
  /** Where an embedded worker prepares datasets. */
  datasets: z.string().default('.assay/datasets'),
  /** Where the first token is written instead of to standard output. */
  'token-file': z.string().min(1).exactOptional(),
  /** How long a worker holds a block without renewing. */
  'lease-millis': z.coerce.number().int().min(1_000).max(3_600_000).default(defaultLeaseMillis),
  /** The address of a Redis that carries the queue; absent keeps it in the store. */
  redis: z.string().min(1).exactOptional(),
  /** What is printed on standard output are lines of JSON. */
  json: z.boolean().default(false),
})
export type ApiConfig = z.infer<typeof configSchema>

const options = {
  host: { type: 'string' },
  port: { type: 'string' },
  db: { type: 'string' },
  campaigns: { type: 'string' },
  'embedded-worker': { type: 'string' },
  datasets: { type: 'string' },
  'token-file': { type: 'string' },
  'lease-millis': { type: 'string' },
  redis: { type: 'string' },
  json: { type: 'boolean' },
} as const

const valuesOf = (argv: readonly string[]) => {
  try {
    return parseArgs({ args: [...argv], options }).values
  } catch (error) {
    throw configInvalid(error instanceof Error ? error.message : String(error))
  }
}

/** Throws `config-invalid`, which says what is wrong. */
export const readConfig = (argv: readonly string[]): ApiConfig => {
  const parsed = configSchema.safeParse(valuesOf(argv))
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`)
  throw configInvalid(faults.join('; '))
}
