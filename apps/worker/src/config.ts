/** The worker's configuration: its command line, parsed once. */
import { parseArgs } from 'node:util'
import { z } from 'zod'

const configSchema = z.strictObject({
  server: z.url(),
  pool: z.string().min(1).default('default'),
  datasets: z.string().min(1),
  'host-lock': z.string().exactOptional(),
  /** The name under which blocks are taken. */
  name: z.string().exactOptional(),
})
export type WorkerConfig = z.infer<typeof configSchema>

/** Throws a `ZodError` or `TypeError` that says what is missing. */
export const readConfig = (argv: readonly string[]): WorkerConfig => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      server: { type: 'string' },
      pool: { type: 'string' },
      datasets: { type: 'string' },
      'host-lock': { type: 'string' },
      name: { type: 'string' },
    },
  })
  return configSchema.parse(values)
}
