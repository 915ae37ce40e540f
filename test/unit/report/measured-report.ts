/** A report as a real campaign gives it, with every sample: noise, failures, gaps and self-checks. */
import { readFileSync } from 'node:fs'
import {
  type Evidence,
  type Report,
  reportSchema,
  type StoredSample,
  seededRandom,
} from '@assay/model'
import type { ReportDetails } from '@assay/report'
import { judgeRun } from '@assay/stats'
import { aSample, aUsage } from '../../support/builders.ts'
import { type CellOf, noisy } from '../stats/evidence-of.ts'
import { mmapByDefault } from './printed-comparisons.ts'
import { type BlockOf, evidenceOfBlocks } from './report-of.ts'

/** The samples behind evidence as the store would give them, with a warmup before each cell. */
export const storedSamples = (evidence: Evidence): StoredSample[] =>
  evidence.blocks.flatMap(({ cells }) =>
    cells.flatMap(({ cellId, samples }) =>
      samples.map(({ round, position, outcome, value }) => ({
        ...aSample({
          cellId,
          position,
          outcome,
          exitCode: outcome === 'good' ? 0 : 255,
          usage: aUsage({ wallSeconds: value ?? 0 }),
          stderr: outcome === 'good' ? '' : 'abort: stream ended unexpectedly\n',
        }),
        take: 1,
        round,
        warmup: false,
      })),
    ),
  )

const special = (at: number, label: string): Partial<CellOf> => {
  if (at === 3 && label !== 'no-mmap') {
    return { status: 'failed', reason: '3 samples failed: exit 255' }
  }
  if (at === 6 && label === 'no-mmap') {
    return { status: 'failed', reason: 'the warmup timed out after 120 s' }
  }
  return {}
}

/** The second table of change messages, measured with noise that differs from block to block. */
export const measuredBlocks = (rounds: number): BlockOf[] => {
  const random = seededRandom('measured report')
  return mmapByDefault.map(({ headers, rows }, at) => ({
    headings: headers,
    rows: [
      ...rows.map(({ label, seconds }): CellOf => {
        const values: (number | null)[] = noisy(
          random,
          rounds,
          seconds ?? 1,
          [0.004, 0.008, 0.03][at % 3],
        )
        if (at === 1 && label !== 'no-mmap') values[7] = null
        if (at === 3 && label !== 'no-mmap') for (const bad of [2, 3, 5]) values[bad] = null
        return { label, values, ...special(at, label) }
      }),
      {
        label: `${rows[0]?.label} again`,
        role: 'self-check',
        values: noisy(random, rounds, rows[0]?.seconds ?? 1, 0.006),
      },
    ],
  }))
}

/** The judged report and the samples it was judged from. */
export const measuredReport = (
  rounds = 20,
): { readonly report: Report; readonly details: ReportDetails } => {
  const evidence = evidenceOfBlocks(measuredBlocks(rounds))
  return { report: judgeRun(evidence), details: { samples: storedSamples(evidence) } }
}

/** The judged report as it was once, so that what is printed of it depends on printing alone. */
export const frozenReport = (): Report =>
  reportSchema.parse(
    JSON.parse(
      readFileSync(new URL('../../fixtures/measured-report.json', import.meta.url), 'utf8'),
    ),
  )
