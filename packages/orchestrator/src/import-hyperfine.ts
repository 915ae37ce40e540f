/**
 * Exports of hyperfine (`--export-json`). Commands of one file are compared with its first; with
 * several files, the same command in each, the first file being the baseline. A run that ended with
 * an exit code is kept as failed. hyperfine gives user and system time as means only: not imported.
 */
import { z } from 'zod'
import { importUnreadable } from './import-errors.ts'
import {
  type ImportedBlock,
  type ImportedCell,
  type ImportedResult,
  type ImportedSample,
  type ImportFile,
  parseImport,
} from './import-result.ts'

const resultSchema = z.object({
  command: z.string(),
  times: z.array(z.number().min(0)).min(1),
  /** Null: ended by a signal. Absent before hyperfine 1.12. */
  exit_codes: z.array(z.int().nullable()).exactOptional(),
  /** Since hyperfine 1.19. */
  memory_usage_byte: z.array(z.number().min(0).nullable()).exactOptional(),
  /** Of `--parameter-scan` and `--parameter-list`. */
  parameters: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
})
const exportSchema = z.object({ results: z.array(resultSchema).min(1) })
type Result = z.infer<typeof resultSchema>

const outcomeOf = (exitCode: number | null): ImportedSample['outcome'] => {
  if (exitCode === null) return 'killed'
  return exitCode === 0 ? 'good' : 'failed'
}

const checkLengths = (file: ImportFile, { command, times, ...result }: Result): void => {
  for (const list of [result.exit_codes, result.memory_usage_byte]) {
    if (list !== undefined && list.length !== times.length) {
      const problem = `'${command}' has ${times.length} times and ${list.length} exit codes or memory values`
      throw importUnreadable(file.name, problem)
    }
  }
}

const samplesOf = ({ times, exit_codes, memory_usage_byte }: Result): ImportedSample[] =>
  times.map((seconds, at) => {
    const exitCode = exit_codes === undefined ? 0 : (exit_codes[at] ?? null)
    const peakRssBytes = memory_usage_byte?.[at] ?? null
    return { seconds, outcome: outcomeOf(exitCode), exitCode, peakRssBytes, loops: 1 }
  })

const cellOf = (label: string, result: Result): ImportedCell => ({
  label,
  samples: samplesOf(result),
  warmups: [],
  missing: null,
  host: {},
})

const resultsOf = (file: ImportFile): readonly Result[] => {
  const { results } = parseImport(file, exportSchema)
  for (const result of results) checkLengths(file, result)
  return results
}

const commandHeadings = ({ command, parameters = {} }: Result): Record<string, string> => ({
  'benchmark.name': command,
  ...Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      `benchmark.variants.${name}`,
      String(value),
    ]),
  ),
})

/** Blocks by command; a command that a file lacks has no row of that file. */
const acrossFiles = (files: readonly ImportFile[]): ImportedBlock[] => {
  const blocks = new Map<string, { headings: Record<string, string>; cells: ImportedCell[] }>()
  for (const file of files) {
    for (const result of resultsOf(file)) {
      const headings = commandHeadings(result)
      const key = JSON.stringify(headings)
      const block = blocks.get(key) ?? { headings, cells: [] }
      block.cells.push(cellOf(file.name, result))
      blocks.set(key, block)
    }
  }
  return [...blocks.values()]
}

/** Reads hyperfine's exports. Errors: `import-unreadable`. */
export const importHyperfine = (files: readonly ImportFile[]): ImportedResult => {
  const [only] = files
  if (only === undefined || files.length > 1) {
    return { kind: 'hyperfine', comparedFactor: 'file', blocks: acrossFiles(files) }
  }
  const cells = resultsOf(only).map((result) => cellOf(result.command, result))
  const headings = { 'benchmark.name': 'hyperfine' }
  return { kind: 'hyperfine', comparedFactor: 'command', blocks: [{ headings, cells }] }
}
