/** The campaigns that are shipped: each is read without a fault, and plans what it promises. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { catalogue } from '@assay/bench'
import {
  campaignJsonSchema,
  campaignTemplate,
  countCells,
  expandCampaign,
  formatDiagnostic,
  parseCampaign,
} from '@assay/campaign'
import type { Campaign, Plan } from '@assay/model'
import { describe, expect, it } from 'vitest'

const folder = new URL('../../campaigns/', import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
const textOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
const read = (name: string, text = textOf(name)): Campaign => {
  const parsed = parseCampaign(text, { file: `campaigns/${name}`, catalogue })
  if (!parsed.ok) throw new Error(parsed.diagnostics.map(formatDiagnostic).join('\n'))
  return parsed.campaign
}
const planOf = (name: string): Plan =>
  expandCampaign(read(name), { seed: '1', campaignDigest: '', catalogue })

describe('a shipped campaign', () => {
  it.each(names)('%s is read without a fault and tells editors its schema', (name) => {
    const { blocks, cells } = countCells(read(name), catalogue)
    expect(textOf(name)).toMatch(/^# yaml-language-server: \$schema=\.\/campaign\.schema\.json\n/)
    expect(read(name).name).toBe(name.replace('.yaml', ''))
    expect(planOf(name).blocks.length).toBe(blocks)
    expect(planOf(name).blocks.flatMap((block) => block.cells).length).toBe(cells)
  })

  it('is what `assay init` writes', () => {
    expect(read('first.yaml', campaignTemplate('first')).name).toBe('first')
  })
})

describe('the JSON Schema for editors', () => {
  it('is the one that this version makes', () => {
    const file = new URL('campaign.schema.json', folder)
    const schema = campaignJsonSchema(catalogue)
    // ASSAY_UPDATE_GOLDEN=1 writes it anew; `npm run fix` lays it out.
    if (process.env['ASSAY_UPDATE_GOLDEN'] === '1') {
      writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
    }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)))
  })
})

describe('smoke.yaml', () => {
  const plan = planOf('smoke.yaml')
  const cells = plan.blocks.flatMap((block) => block.cells)

  it('measures all four access modes, and nothing that is unsupported', () => {
    expect(new Set(cells.map(({ mode }) => mode)).size).toBe(4)
    expect(cells.filter(({ unsupported }) => unsupported !== null)).toEqual([])
  })

  it('has a changelog index above 1 MiB, below which nothing is mapped', () => {
    const scale = Math.max(
      ...cells.flatMap(({ dataset }) =>
        dataset !== null && 'generate' in dataset && dataset.generate === 'changelog-only'
          ? [dataset.scale]
          : [],
      ),
    )
    // The preset has 1,000,000 revisions at scale 1; an index entry takes 64 bytes.
    expect(scale * 1_000_000 * 64).toBeGreaterThan(1_048_576)
  })

  it('takes at most as many samples as fit two minutes', () => {
    const rounds = plan.sampling.rounds.max + plan.sampling.warmups
    // A sample of a small command takes about a tenth of a second.
    expect(cells.length * rounds * 0.1).toBeLessThan(100)
  })
})

describe('the campaigns of the published changes', () => {
  it('mmap-populate.yaml has the rows of the change that populates mappings', () => {
    const plan = planOf('mmap-populate.yaml')
    expect(new Set(plan.blocks.map(({ headings }) => headings['data-env-vars.name']))).toEqual(
      new Set([
        'mercurial-zstd-sparse-revlog',
        'pypy-zstd-sparse-revlog',
        'netbeans-zstd-sparse-revlog',
        'mozilla-try-zstd-sparse-revlog',
        'mozilla-try-ds2-pnm',
      ]),
    )
    expect(
      plan.blocks
        .filter(({ headings }) => headings['data-env-vars.name'] === 'mozilla-try-ds2-pnm')
        .map(({ headings }) => [headings['benchmark.name'], headings['benchmark.variants.patch']]),
    ).toEqual([
      ['hg.command.log', 'yes'],
      ['hg.command.log', 'yes'],
    ])
    // log --patch twice, log, unbundle twice, push twice, on four datasets; and log --patch twice.
    expect(plan.blocks.length).toBe(4 * 7 + 2)
    expect(plan.blocks.every(({ cells }) => cells[0]?.label === 'with-populate')).toBe(true)
  })

  it('mmap-default.yaml shows no-populate where the published table does', () => {
    const labels = new Map(
      planOf('mmap-default.yaml').blocks.map(({ benchmark, cells }) => [
        benchmark.name,
        cells.filter(({ role }) => role !== 'self-check').map(({ label }) => label),
      ]),
    )
    expect(labels.get('hg.command.log')).toEqual(['no-mmap', 'mmap'])
    expect(labels.get('hg.command.unbundle')).toEqual(['no-mmap', 'mmap', 'no-populate'])
    expect(labels.get('hg.command.push')).toEqual(['no-mmap', 'mmap', 'no-populate'])
  })

  it('revlog-chunks.yaml compares the compressions on changelog and manifest', () => {
    const plan = planOf('revlog-chunks.yaml')
    expect(
      new Set(plan.blocks.map(({ headings }) => headings['benchmark.variants.revlog'])),
    ).toEqual(new Set(['changelog', 'manifest']))
  })

  it('an unavailable storage format is unsupported, not a fault', () => {
    const cells = planOf('mmap-populate.yaml').blocks.flatMap((block) => block.cells)
    const pnm = cells.filter(({ dataset }) => dataset?.format.includes('persistent-nodemap'))
    expect(pnm.length).toBeGreaterThan(0)
    for (const { unsupported } of pnm) {
      expect(unsupported).toBe(
        catalogue.formats.includes('persistent-nodemap')
          ? unsupported
          : 'datasets cannot be generated yet with the storage format persistent-nodemap',
      )
    }
  })
})
