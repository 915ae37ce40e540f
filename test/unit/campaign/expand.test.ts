/** The plan of a campaign: exact, in a fixed order, the same for the same campaign and seed. */
import { countCells, expandCampaign, parseCampaign } from '@assay/campaign'
import { type Campaign, type Plan, planSchema } from '@assay/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'

const read = (text: string): Campaign => {
  const parsed = parseCampaign(text, { file: 'x.yaml', catalogue })
  if (!parsed.ok) throw new Error(parsed.diagnostics.map(({ message }) => message).join('\n'))
  return parsed.campaign
}
const planOf = (text: string): Plan =>
  expandCampaign(read(text), { seed: '7', campaignDigest: 'abc', catalogue })
/** Each block as `heading=value ...: label (role), label (role)`. */
const outline = (plan: Plan): readonly string[] =>
  plan.blocks.map(({ headings, cells }) => {
    const keys = Object.entries(headings).map(([key, value]) => `${key}=${value}`)
    return `${keys.join(' ')}: ${cells.map(({ label, role }) => `${label} (${role})`).join(', ')}`
  })

const modes = 'compare: { mode: { with: mmap-populate, without: mmap-no-populate } }\n'

describe('a plan', () => {
  it('goes through datasets, benchmarks, parameters and flavors in written order', () => {
    const plan = planOf(`${modes}engines: [{ hg: 7.2.4, flavor: [default, rust] }]
datasets: { b: { generate: mercurial-like }, a: { generate: mozilla-try-like } }
benchmarks:
  - { name: hg.command.unbundle, with: { revs: [any-100-extra-rev, any-1-extra-rev] } }
  - { name: hg.command.log, with: { limit-rev: 10, patch: yes } }
`)
    const engine = 'bin-env-vars.engine=hg 7.2.4 bin-env-vars.hg.flavor='
    const of = (dataset: string): readonly string[] => [
      ...['any-100-extra-rev', 'any-1-extra-rev'].flatMap((revs) =>
        ['default', 'rust'].map(
          (flavor) =>
            `data-env-vars.name=${dataset} benchmark.name=hg.command.unbundle ${engine}${flavor} benchmark.variants.revs=${revs}`,
        ),
      ),
      ...['default', 'rust'].map(
        (flavor) =>
          `data-env-vars.name=${dataset} benchmark.name=hg.command.log ${engine}${flavor} benchmark.variants.limit-rev=10 benchmark.variants.patch=yes`,
      ),
    ]
    expect(outline(plan)).toEqual(
      [...of('b'), ...of('a')].map((keys) => `${keys}: with (baseline), without (candidate)`),
    )
    expect(plan.blocks.map(({ id }) => id)).toEqual(plan.blocks.map((_, at) => `b${at + 1}`))
    expect(plan.blocks[1]?.cells.map(({ id }) => id)).toEqual(['b2.c1', 'b2.c2'])
  })

  it('is a plan by the schema of plans, and survives JSON', () => {
    const plan = planOf(`${modes}benchmarks: [hg.command.log]\n`)
    expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan)
  })

  it('varies the last written parameter fastest, and has fallbacks as if they were written', () => {
    const plan = planOf(
      `${modes}benchmarks: [{ name: hg.command.log, with: { rev: [tip, none], limit-rev: [10, 1] } }]\n`,
    )
    expect(plan.blocks.map(({ cells }) => cells[0]?.parameters)).toEqual([
      { rev: 'tip', 'limit-rev': '10', patch: 'no' },
      { rev: 'tip', 'limit-rev': '1', patch: 'no' },
      { rev: 'none', 'limit-rev': '10', patch: 'no' },
      { rev: 'none', 'limit-rev': '1', patch: 'no' },
    ])
  })

  it('has each combination once, where benchmarks overlap', () => {
    const plan = planOf(`${modes}benchmarks:
  - { name: hg.command.log, with: { limit-rev: [1, 10] } }
  - { name: hg.command.log, with: { limit-rev: [10, 100], patch: no } }
`)
    expect(plan.blocks.map(({ headings }) => headings['benchmark.variants.limit-rev'])).toEqual([
      '1',
      '10',
      '100',
    ])
  })

  it('leaves the mode out of the headings only where it is compared', () => {
    expect(
      outline(planOf('compare: { limit-rev: [1, 10] }\nbenchmarks: [hg.command.log]\n')),
    ).toEqual([
      'data-env-vars.name=mercurial-like-zstd-sparse-revlog benchmark.name=hg.command.log bin-env-vars.engine=revlog bin-env-vars.mode=mmap-populate-thread benchmark.variants.patch=no: 1 (baseline), 10 (candidate)',
    ])
  })

  it('compares datasets without naming one in the headings', () => {
    const plan = planOf(`compare: { dataset: { small: a, large: b } }
datasets: { a: { generate: mercurial-like }, b: { generate: mozilla-try-like } }
benchmarks: [hg.command.log]
`)
    expect(outline(plan)).toEqual([
      'benchmark.name=hg.command.log bin-env-vars.engine=revlog bin-env-vars.mode=mmap-populate-thread benchmark.variants.patch=no: small (baseline), large (candidate)',
    ])
    expect(plan.blocks[0]?.cells.map(({ dataset }) => dataset?.name)).toEqual(['a', 'b'])
  })

  it('compares flavors of each engine', () => {
    const plan = planOf(
      'compare: { flavor: [default, rust] }\nengines: [hg 7.2.4, revlog]\nbenchmarks: [hg.command.log]\n',
    )
    expect(plan.blocks.map(({ cells }) => cells.map(({ engine }) => engine.flavor))).toEqual([
      ['default', 'rust'],
      ['default', 'rust'],
    ])
    expect(plan.blocks[1]?.cells[1]?.unsupported).toBe(
      'the engine revlog has no flavor rust; it has default',
    )
    expect(Object.keys(plan.blocks[0]?.headings ?? {})).not.toContain('bin-env-vars.hg.flavor')
  })

  it('compares engines by flavor; an engine of one flavor takes part in each block', () => {
    const plan = planOf(`compare: { engine: [revlog, hg] }
engines: [revlog, { hg: 7.2.4, flavor: [default, rust] }]
benchmarks: [hg.command.log]
`)
    expect(
      plan.blocks.map(({ cells }) => cells.map(({ engine }) => [engine.name, engine.flavor])),
    ).toEqual([
      [
        ['revlog', 'default'],
        ['hg', 'default'],
      ],
      [
        ['revlog', 'default'],
        ['hg', 'rust'],
      ],
    ])
  })

  it('leaves the places of a command open, with the levels that fill them', () => {
    const open = '$'.concat('{')
    const command = [`--mode=${open}mode}`, `${open}threads}${open}size}`, `$${open}HOME}`, '']
    const plan = planOf(`compare: { threads: [1, 2] }
benchmarks: [{ name: exec, command: ${JSON.stringify(command)}, with: { size: k } }]
`)
    expect(plan.blocks[0]?.cells.map((cell) => [cell.command, cell.parameters])).toEqual([
      [command, { size: 'k', threads: '1' }],
      [command, { size: 'k', threads: '2' }],
    ])
    expect(plan.blocks[0]?.cells[0]?.dataset).toBeNull()
  })

  it('measures a benchmark without dataset once, not once a dataset', () => {
    const plan = planOf(`${modes}engines: [fake]
datasets: { a: { generate: mercurial-like }, b: { generate: mercurial-like } }
benchmarks: [hg.command.log, { name: exec, command: [run, '\${mode}'] }]
`)
    expect(plan.blocks.map(({ benchmark }) => benchmark.name)).toEqual([
      'hg.command.log',
      'exec',
      'hg.command.log',
    ])
  })
})

describe('what cannot be measured', () => {
  it('is in the plan with the reason', () => {
    const plan = planOf(`${modes}
datasets:
  plain: { generate: mercurial-like }
  pnm: { generate: mercurial-like, format: [zstd, dirstate-v2, persistent-nodemap] }
benchmarks: [{ name: hg.command.log, with: { patch: [no, yes] } }]
`)
    expect(plan.blocks.map(({ cells }) => cells[0]?.unsupported)).toEqual([
      null,
      'revlog cannot do that yet',
      'datasets cannot be generated yet with the storage format dirstate-v2, persistent-nodemap',
      'datasets cannot be generated yet with the storage format dirstate-v2, persistent-nodemap',
    ])
  })
})

describe('an exclusion', () => {
  const base = `compare: { mode: { with: mmap-populate, without: mmap-no-populate, none: no-mmap } }
sampling: { selfCheck: true }
benchmarks:
  - { name: hg.command.log, with: { limit-rev: [1, 10] } }
  - hg.command.unbundle
`
  const labels = (exclude: string): readonly string[] =>
    planOf(`${base}exclude: [${exclude}]\n`).blocks.map(({ cells }) =>
      cells.map(({ label, role }) => `${label}:${role}`).join(' '),
    )
  const whole = 'with:baseline without:candidate none:candidate with again:self-check'

  it('takes a candidate out, by label or by level', () => {
    const without = 'with:baseline none:candidate with again:self-check'
    expect(labels('{ mode: without, limit-rev: 10 }')).toEqual([whole, without, whole])
    expect(labels('{ mode: mmap-no-populate, limit-rev: 10 }')).toEqual([whole, without, whole])
  })

  it('takes whole blocks out', () => {
    expect(labels('{ benchmark: hg.command.log }')).toEqual([whole])
    expect(labels('{ limit-rev: 1 }, { benchmark: hg.command.unbundle }')).toEqual([whole])
  })

  it('of the baseline leaves the candidates without one, and without a self-check', () => {
    expect(labels('{ mode: with, benchmark: hg.command.unbundle }')).toEqual([
      whole,
      whole,
      'without:candidate none:candidate',
    ])
  })
})

describe("a variant's identity", () => {
  const idsOf = (text: string): readonly string[] =>
    planOf(text).blocks.flatMap(({ cells }) => cells.map(({ variantId }) => variantId))

  it('does not depend on labels, order, or what it is compared with', () => {
    const [populate] = idsOf(
      `${modes}benchmarks: [{ name: hg.command.log, with: { limit-rev: 1, patch: no } }]\n`,
    )
    const others = idsOf(`compare: { limit-rev: [7, 1] }
mode: mmap-populate
benchmarks: [{ name: hg.command.log, with: { patch: no } }]
`)
    expect(others[1]).toBe(populate)
    expect(others[0]).not.toBe(populate)
  })

  it('is shared by a baseline and its self-check, and by no other cells', () => {
    const ids = idsOf(
      `${modes}sampling: { selfCheck: true }\nbenchmarks: [{ name: hg.command.log, with: { limit-rev: [1, 2] } }]\n`,
    )
    expect(ids[2]).toBe(ids[0])
    expect(ids[5]).toBe(ids[3])
    expect(new Set(ids).size).toBe(4)
  })

  it('changes with the benchmark, the engine, its version and flavor, mode and dataset', () => {
    const texts = [
      'benchmarks: [hg.command.log]',
      'benchmarks: [{ name: hg.command.log, with: { patch: yes } }]',
      'benchmarks: [hg.command.unbundle]',
      'engines: [hg]\nbenchmarks: [hg.command.log]',
      'engines: [hg 7.1]\nbenchmarks: [hg.command.log]',
      'engines: [hg 7.10]\nbenchmarks: [hg.command.log]',
      'engines: [{ hg: 7.1, flavor: rust }]\nbenchmarks: [hg.command.log]',
      'datasets: { a: { generate: mercurial-like } }\nbenchmarks: [hg.command.log]',
      'datasets: { a: { generate: mercurial-like, seed: 2 } }\nbenchmarks: [hg.command.log]',
    ]
    const ids = texts.flatMap((text) => idsOf(`${modes}${text}\n`))
    expect(new Set(ids).size).toBe(texts.length * 2)
  })
})

describe('any matrix', () => {
  it('is expanded to every combination once, and counted without being expanded', () => {
    const levels = fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 })
    const revisions = fc.uniqueArray(fc.constantFrom('tip', '0', 'none', '7.10'), {
      minLength: 1,
    })
    fc.assert(
      fc.property(levels, revisions, fc.boolean(), (limits, revs, selfCheck) => {
        const text = `${modes}sampling: { selfCheck: ${selfCheck} }
datasets: { a: { generate: mercurial-like }, b: { generate: mercurial-like } }
benchmarks: [{ name: hg.command.log, with: { limit-rev: [${limits.join(', ')}], rev: [${revs.join(', ')}] } }]
`
        const plan = planOf(text)
        const blocks = 2 * limits.length * revs.length
        const cells = plan.blocks.flatMap((block) => block.cells)
        expect(countCells(read(text), catalogue)).toEqual({
          blocks,
          cells: blocks * (selfCheck ? 3 : 2),
        })
        expect(plan.blocks.length).toBe(blocks)
        expect(cells.length).toBe(blocks * (selfCheck ? 3 : 2))
        expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length)
        expect(new Set(cells.map(({ variantId }) => variantId)).size).toBe(blocks * 2)
      }),
      { numRuns: 40 },
    )
  })
})
