/** Pools: on which hosts a campaign is measured; an axis like any other once there are several. */
import { countCells, expandCampaign, parseCampaign } from '@assay/campaign'
import type { Campaign, Plan } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'

const base = 'compare: { mode: [no-mmap, mmap-populate] }\nbenchmarks: [hg.command.log]\n'

const read = (text: string): Campaign => {
  const parsed = parseCampaign(text, { file: 'x.yaml', catalogue })
  if (!parsed.ok) throw new Error(parsed.diagnostics.map(({ message }) => message).join('\n'))
  return parsed.campaign
}
const planOf = (campaign: Campaign): Plan =>
  expandCampaign(campaign, { seed: '7', campaignDigest: 'abc', catalogue })
const variantsOf = (plan: Plan): readonly string[] =>
  plan.blocks.flatMap(({ cells }) => cells.map(({ variantId }) => variantId))

describe('a pool', () => {
  it('is not in the plan of a campaign that names none', () => {
    const [block] = planOf(read(base)).blocks
    expect(block).not.toHaveProperty('pool')
  })

  it('that is the only one changes where a block goes, and nothing of what it is', () => {
    const plain = planOf(read(base))
    const placed = planOf(read(`${base}pool: big-iron\n`))
    expect(placed.blocks.map(({ pool }) => pool)).toEqual(['big-iron'])
    expect(placed.blocks[0]?.headings).toEqual(plain.blocks[0]?.headings)
    expect(variantsOf(placed)).toEqual(variantsOf(plain))
  })

  it('beside others is an axis: each block once a pool, under a heading and an identity of its own', () => {
    const campaign = read(`${base}pool: [arm, x86, arm]\nsampling: { selfCheck: true }\n`)
    const plan = planOf(campaign)
    expect(
      plan.blocks.map(({ id, pool, headings }) => [id, pool, headings['host-env-vars.pool']]),
    ).toEqual([
      ['b1', 'arm', 'arm'],
      ['b2', 'x86', 'x86'],
    ])
    const judged = plan.blocks.flatMap(({ cells }) =>
      cells.filter(({ role }) => role !== 'self-check'),
    )
    expect(new Set(judged.map(({ variantId }) => variantId)).size).toBe(4)
    expect(countCells(campaign, catalogue)).toEqual({ blocks: 2, cells: 6 })
  })

  it('with a name that no URL or heading could hold is a mistake at its place', () => {
    const parsed = parseCampaign(`${base}pool: [fine, "not fine"]\n`, { file: 'x.yaml', catalogue })
    if (parsed.ok) throw new Error('it was accepted')
    expect(parsed.diagnostics.map(({ line, column }) => [line, column])).toEqual([[3, 14]])
    expect(parsed.diagnostics[0]?.message).toContain('"not fine" cannot name a pool')
  })
})
