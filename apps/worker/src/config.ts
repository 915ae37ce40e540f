/** The worker's configuration: its command line, parsed once. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { AssayError } from '@assay/model'
import { z } from 'zod'

const configSchema = z.strictObject({
  server: z.url({ protocol: /^https?$/ }),
  /** A token of scope `worker`; better given by `--token-file` or ASSAY_TOKEN, which `ps` does not show. */
  token: z.string().min(1).exactOptional(),
  'token-file': z.string().min(1).exactOptional(),
  pool: z.string().min(1).default('default'),
  datasets: z.string().min(1),
  'host-lock': z.string().exactOptional(),
  /** Processors of measured children and of the worker: CHILD/DRIVER, e.g. 1/0. */
  pin: z.templateLiteral([z.string().min(1), '/', z.string().min(1)]).exactOptional(),
  /** The name under which blocks are taken. */
  name: z.string().exactOptional(),
  /** What ends the worker is printed as JSON on standard output, too. */
  json: z.boolean().default(false),
})
export type WorkerConfig = z.infer<typeof configSchema>

const options = {
  server: { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
  pool: { type: 'string' },
  datasets: { type: 'string' },
  'host-lock': { type: 'string' },
  pin: { type: 'string' },
  name: { type: 'string' },
  json: { type: 'boolean' },
} as const

/** What is wrong with a command line, in words for a person. */
const configInvalid = (message: string): AssayError =>
  new AssayError({ code: 'config-invalid', kind: 'usage', message })

const valuesOf = (argv: readonly string[]) => {
  try {
    return parseArgs({ args: [...argv], options }).values
  } catch (error) {
    throw configInvalid(error instanceof Error ? error.message : String(error))
  }
}

const secretIn = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw configInvalid(`--token-file: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The token of the command line, else of its file, else of the environment; absent without any. */
export const tokenOf = (
  config: Pick<WorkerConfig, 'token' | 'token-file'>,
  fromEnvironment: string | undefined,
): { readonly token?: string } => {
  const file = config['token-file']
  const token = config.token ?? (file === undefined ? fromEnvironment : secretIn(file))
  return token === undefined || token === '' ? {} : { token }
}

/** Throws `config-invalid`. */
export const readConfig = (argv: readonly string[]): WorkerConfig => {
  const parsed = configSchema.safeParse(valuesOf(argv))
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`)
  throw configInvalid(faults.join('; '))
}
