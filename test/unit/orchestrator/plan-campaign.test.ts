/** What `--only` and `--skip` do to a plan. */
import { catalogue } from '@assay/bench'
import { type PlanOverrides, planCampaign, planRemarks } from '@assay/orchestrator'
import { describe, expect, it } from 'vitest'

const text = `
compare: { mode: [no-mmap, mmap-populate] }
benchmarks: [{ name: hg.command.log, with: { limit-rev: [1, 10] } }]
`

const plan = (choice: Partial<PlanOverrides>, more = '') =>
  planCampaign(
    { file: 'x.yaml', text: `${text}${more}` },
    { seed: '1', quick: false, only: [], skip: [], ...choice },
    catalogue,
  )

const limits = (choice: Parameters<typeof plan>[0]) =>
  plan(choice).blocks.map(({ headings }) => headings['benchmark.variants.limit-rev'])

describe('a selection', () => {
  it('keeps what it names, or leaves it out, by short or whole key', () => {
    expect(limits({})).toEqual(['1', '10'])
    expect(limits({ only: [{ key: 'limit-rev', value: '10' }] })).toEqual(['10'])
    expect(limits({ skip: [{ key: 'benchmark.variants.limit-rev', value: '10' }] })).toEqual(['1'])
  })

  it.each(['only', 'skip'] as const)('of --%s that no block has is a typo', (choice) => {
    for (const [key, value] of [
      ['limit-revs', '1'],
      ['limit-rev', '2'],
    ] as const) {
      expect(() => plan({ [choice]: [{ key, value }] })).toThrow(
        `no block of the campaign has ${key}=${value}`,
      )
    }
  })

  it('that leaves nothing is refused', () => {
    expect(() => plan({ skip: [{ key: 'benchmark', value: 'hg.command.log' }] })).toThrow(
      'leave no block',
    )
  })
})

describe('a pool', () => {
  const poolsOf = (choice: Partial<PlanOverrides>) =>
    plan(choice, 'pool: [arm, x86]\n').blocks.map(({ pool, headings }) => [
      pool,
      headings['benchmark.variants.limit-rev'],
      headings['host-env-vars.pool'],
    ])

  it('can be selected as any heading can', () => {
    expect(poolsOf({ only: [{ key: 'pool', value: 'arm' }] })).toEqual([
      ['arm', '1', 'arm'],
      ['arm', '10', 'arm'],
    ])
    expect(() => poolsOf({ only: [{ key: 'pool', value: 'sparc' }] })).toThrow('pool=sparc')
  })

  it('that a run names takes the place of those of the campaign', () => {
    expect(poolsOf({ pool: 'riscv' })).toEqual([
      ['riscv', '1', undefined],
      ['riscv', '10', undefined],
    ])
  })
})

describe('rounds that a run asks for', () => {
  it('take the place of those of the campaign, and a quick run has its own', () => {
    const rounds = { min: 12, max: 12 }
    expect(plan({ rounds }).sampling.rounds).toEqual(rounds)
    expect(plan({ rounds, quick: true }).sampling.rounds).toEqual({ min: 5, max: 5 })
  })
})

describe('remarks on a plan', () => {
  const remarksOn = (text: string): readonly string[] =>
    planRemarks(
      planCampaign(
        { file: 'c.yaml', text },
        { seed: '1', only: [], skip: [], quick: false },
        catalogue,
      ),
    )

  const modes = (levels: string, patch: string) => `
compare: { mode: ${levels} }
engines: [revlog]
datasets: { small: { generate: mercurial-like, scale: 0.01 } }
benchmarks: [{ name: hg.command.log, with: { patch: ${patch}, limit-rev: 1 } }]
`

  it('say where nothing is compared', () => {
    expect(remarksOn(modes('[no-mmap, mmap-populate]', 'no'))).toEqual([])
    expect(remarksOn(modes('[no-mmap]', 'no'))).toEqual([
      'nothing is compared, for mode has one level in every block: add the level to compare it with',
    ])
  })

  it('say where nothing can be measured', () => {
    const unable = catalogue.engines.map((engine) => ({
      ...engine,
      unsupportedReason: () => 'not by this engine',
    }))
    const text = modes('[no-mmap, mmap-populate]', 'no')
    const overrides = { seed: '1', only: [], skip: [], quick: false }
    expect(
      planRemarks(
        planCampaign({ file: 'c.yaml', text }, overrides, { ...catalogue, engines: unable }),
      ),
    ).toEqual(['nothing of this can be measured: not by this engine'])
  })
})
