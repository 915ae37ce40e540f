/**
 * The whole way from YAML to report, on the numbers that real change messages of Mercurial printed:
 * plan, queue, rounds, store, statistics and text. Only the engine is played back.
 */
import { readFileSync } from 'node:fs'
import { catalogue } from '@assay/bench'
import type { Catalogue } from '@assay/model'
import { renderReport } from '@assay/report'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type InProcess, openInProcess } from '../support/in-process.ts'

const blocksSchema = z.array(
  z.object({
    source: z.string(),
    headers: z.record(z.string(), z.string()),
    rows: z.array(
      z.object({
        label: z.string(),
        seconds: z.number().nullable(),
        raw: z.string(),
        strict: z.boolean(),
      }),
    ),
  }),
)
type PrintedBlock = z.infer<typeof blocksSchema>[number]

const printed = blocksSchema.parse(
  JSON.parse(
    readFileSync(new URL('../fixtures/printed-comparisons.json', import.meta.url), 'utf8'),
  ),
)

const open = { levels: null, pattern: null, fallback: null, summary: 'any' }

/** The shipped catalogue, and a benchmark that only the printed tables have. */
const withCat: Catalogue = {
  ...catalogue,
  benchmarks: [
    ...catalogue.benchmarks,
    {
      name: 'hg.command.cat',
      version: 1,
      summary: 'print files of a revision',
      parameters: ['files', 'output', 'rev'].map((name) => ({ ...open, name })),
      needsDataset: true,
      mutatesRepository: false,
      needsRemote: false,
    },
  ],
}

const modes = ['no-mmap', 'mmap-populate', 'mmap-no-populate', 'mmap-populate-thread']
const variantKey = 'benchmark.variants.'

const yamlOf = ({ headers, rows }: PrintedBlock, script: string): string => {
  const parameters = Object.entries(headers)
    .filter(([key]) => key.startsWith(variantKey))
    .map(([key, level]) => `${key.slice(variantKey.length)}: ${level}`)
  const levels = rows.map(({ label }, at) => `"${label}": ${modes[at]}`)
  return `
compare: { mode: { ${levels.join(', ')} } }
engines: [{ fake: ${script}, flavor: ${headers['bin-env-vars.hg.flavor'] ?? 'default'} }]
datasets: { ${headers['data-env-vars.name']}: { generate: mercurial-like, scale: 0.01 } }
benchmarks: [{ name: ${headers['benchmark.name']}, with: { ${parameters.join(', ')} } }]
sampling: { rounds: 12, warmups: 1 }
`
}

const printedAgain = async (assay: InProcess, block: PrintedBlock): Promise<string> => {
  const lines = block.rows.map(({ label, seconds }) => ({
    ...{ headings: {}, label, seconds: [seconds ?? 1] },
  }))
  const { id } = await assay.start(yamlOf(block, assay.write('script.json', JSON.stringify(lines))))
  await assay.workOff(id)
  return renderReport(assay.judge(id), 'full')
}

describe('a campaign on the fake engine', () => {
  it.each(printed.map((block, at) => ({ block, name: `${at + 1}: ${block.source}` })))(
    'prints table $name as it was printed, to the byte',
    async ({ block }) => {
      const assay = openInProcess({ catalogue: withCat })
      try {
        const lines = (await printedAgain(assay, block)).split('\n')
        expect(lines).toContain(`### data-env-vars.name = ${block.headers['data-env-vars.name']}`)
        expect(lines).toContain(`# benchmark.name = ${block.headers['benchmark.name']}`)
        for (const { strict, raw } of block.rows) if (strict) expect(lines).toContain(raw)
      } finally {
        await assay.close()
      }
    },
  )

  it('has at least thirty rows to show', () => {
    const strict = printed.flatMap(({ rows }) => rows).filter((row) => row.strict)
    expect(strict.length).toBeGreaterThanOrEqual(30)
  })
})
