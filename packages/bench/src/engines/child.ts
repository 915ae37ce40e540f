/** Measures a described child by the launcher: what all engines that start a program share. */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment, dropPages } from '@assay/measure'
import type { MeasurableCell, Measurement, SampleRequest, Site } from './engine.ts'

/** How many bytes of a failed child's stderr are kept: its end, where the cause stands. */
const keptStderrBytes = 4096

/** A program to be measured. */
export interface ChildDescription {
  readonly argv: readonly [string, ...string[]]
  readonly workingDirectory: string
  readonly expectedExitCodes: readonly number[]
  /** Reads the engine's own metrics from what the child wrote to stderr; null where it has none. */
  readonly readMetrics: ((stderr: string) => Readonly<Record<string, number>>) | null
}

const readEnd = async (path: string, most: number): Promise<string> => {
  const { size } = await stat(path)
  const length = Math.min(size, most)
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8')
  } finally {
    await file.close()
  }
}

/** A measurable cell that starts `child` anew for every sample; stdout is discarded. */
export const measurableChild = (child: ChildDescription, site: Site): MeasurableCell => {
  const stderrPath = join(site.scratchDirectory, 'stderr')
  return {
    async measure(request: SampleRequest): Promise<Measurement> {
      const launcher = await site.launcher()
      if (request.cache === 'cold' && site.datasetDirectory !== null) {
        dropPages(site.datasetDirectory)
      }
      const result = await launcher.run({
        invocation: {
          argv: child.argv,
          workingDirectory: child.workingDirectory,
          environment: childEnvironment({
            path: process.env['PATH'] ?? '',
            home: site.scratchDirectory,
            paddingBytes: request.stackPaddingBytes,
          }),
          expectedExitCodes: child.expectedExitCodes,
        },
        stdout: '/dev/null',
        stderr: stderrPath,
        timeoutSeconds: request.timeoutSeconds,
      })
      const good = result.outcome === 'good'
      // Megabytes of stderr are a child's mistake; metrics stand in its last lines.
      const stderr = await readEnd(stderrPath, good ? 65_536 : keptStderrBytes)
      return {
        outcome: result.outcome,
        exitCode: result.exitCode,
        signal: result.signal,
        usage: result.usage,
        metrics: good && child.readMetrics !== null ? child.readMetrics(stderr) : {},
        loops: 1,
        stackPaddingBytes: request.stackPaddingBytes,
        stderr: good ? '' : stderr === '' ? result.explanation : stderr,
      }
    },
  }
}
