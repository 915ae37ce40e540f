/** What `--only` and `--skip` do to a plan. */
import { catalogue } from '@assay/bench'
import { type KeyValue, planCampaign } from '@assay/orchestrator'
import { describe, expect, it } from 'vitest'

const text = `
compare: { mode: [no-mmap, mmap-populate] }
benchmarks: [{ name: hg.command.log, with: { limit-rev: [1, 10] } }]
`

const plan = (choice: { only?: readonly KeyValue[]; skip?: readonly KeyValue[] }) =>
  planCampaign(
    { file: 'x.yaml', text },
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
