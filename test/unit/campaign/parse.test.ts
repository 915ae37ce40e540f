/** What a campaign's YAML comes to: shorthands written out, levels as they are written. */
import { parseCampaign } from '@assay/campaign'
import type { Campaign } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'

const read = (text: string, file = 'campaigns/x.yaml'): Campaign => {
  const parsed = parseCampaign(text, { file, catalogue })
  if (!parsed.ok) throw new Error(parsed.diagnostics.map(({ message }) => message).join('\n'))
  return parsed.campaign
}
const faultsOf = (text: string): readonly string[] => {
  const parsed = parseCampaign(text, { file: 'x.yaml', catalogue })
  return parsed.ok ? [] : parsed.diagnostics.map(({ message }) => message)
}
const log = 'benchmarks: [hg.command.log]\n'
const modes = 'compare: { mode: [no-mmap, mmap-populate] }\n'

describe('a campaign of two lines', () => {
  it('is named after its file and takes every default', () => {
    expect(read(modes + log, '/tmp/my campaigns/mmap-populate.yaml')).toEqual({
      name: 'mmap-populate',
      description: '',
      mode: 'mmap-populate-thread',
      compare: {
        factor: 'mode',
        levels: [
          { label: 'no-mmap', level: 'no-mmap' },
          { label: 'mmap-populate', level: 'mmap-populate' },
        ],
      },
      engines: [{ name: 'revlog', flavor: 'default', script: null }],
      datasets: [
        {
          name: 'mercurial-like-zstd-sparse-revlog',
          generate: 'mercurial-like',
          scale: 0.02,
          format: ['zstd', 'sparse-revlog'],
          seed: 'assay',
        },
      ],
      benchmarks: [{ name: 'hg.command.log', parameters: { patch: ['no'] }, command: null }],
      exclude: [],
      sampling: {
        rounds: { min: 20, max: 60 },
        precision: 0.01,
        warmups: 1,
        cache: 'warm',
        budgetSeconds: null,
        selfCheck: false,
        timeoutSeconds: 600,
      },
      verdict: {
        metrics: ['wallSeconds'],
        threshold: 0.01,
        tolerance: 0.02,
        minDifferenceSeconds: 0,
        falseDiscoveryRate: 0.05,
      },
    })
  })

  it.each([
    ['-', 'campaign'],
    ['', 'campaign'],
    ['.hidden.yml', 'hidden'],
    ['a/b:c.YAML', 'b-c'],
  ])('read from %j is named %j', (file, name) => {
    expect(read(modes + log, file).name).toBe(name)
  })
})

describe('a level or version', () => {
  it('is the source text of its scalar', () => {
    const text = `${modes}engines: [{ hg: 7.10 }]
benchmarks:
  - { name: hg.command.log, with: { patch: yes, rev: [0x10, 1_000, 1.0, ~, null, "007", tip] } }
`
    const { engines, benchmarks } = read(text)
    expect(engines).toEqual([{ name: 'hg', flavor: 'default', version: '7.10', script: null }])
    expect(benchmarks[0]?.parameters).toEqual({
      patch: ['yes'],
      rev: ['0x10', '1_000', '1.0', '~', 'null', '007', 'tip'],
    })
  })

  it('keeps the written order of labels, also of labels that look like numbers', () => {
    const text = `compare: { rev: { 10: tip, 2: "0", base: "1" } }\n${log}`
    expect(read(text).compare.levels).toEqual([
      { label: '10', level: 'tip' },
      { label: '2', level: '0' },
      { label: 'base', level: '1' },
    ])
  })

  it('keeps the written order of datasets, also of names that look like numbers', () => {
    const text = `${modes}datasets: { b: { generate: mercurial-like }, 2018: { generate: mercurial-like } }\n${log}`
    expect(read(text).datasets.map(({ name }) => name)).toEqual(['b', '2018'])
  })
})

describe('engines', () => {
  it('are one a flavor, each form of writing them', () => {
    const text = `${modes}engines: [revlog, hg 7.0.1, { hg: 7.2.4, flavor: [default, rust] }, { name: hg, flavor: rust }, { fake: script.json }]\n${log}`
    expect(read(text).engines).toEqual([
      { name: 'revlog', flavor: 'default', script: null },
      { name: 'hg', flavor: 'default', version: '7.0.1', script: null },
      { name: 'hg', flavor: 'default', version: '7.2.4', script: null },
      { name: 'hg', flavor: 'rust', version: '7.2.4', script: null },
      { name: 'hg', flavor: 'rust', script: null },
      { name: 'fake', flavor: 'default', script: 'script.json' },
    ])
  })

  it('that are compared need no list of their own', () => {
    expect(read(`compare: { engine: [hg 7.0.1, hg 7.2.4] }\n${log}`).engines).toEqual([
      { name: 'hg', flavor: 'default', version: '7.0.1', script: null },
      { name: 'hg', flavor: 'default', version: '7.2.4', script: null },
    ])
  })

  it('that are not given are the first that can run all benchmarks', () => {
    const text = `compare: { program: [true, false] }
benchmarks: [{ name: exec, command: ["\${program}"] }]
`
    expect(read(text).engines).toEqual([{ name: 'exec', flavor: 'default', script: null }])
  })
})

describe('quantities', () => {
  it('are read with their signs and units', () => {
    const text = `${modes}${log}
sampling: { rounds: 30, precision: 0.5%, warmups: 0, cache: cold, budget: 1.5h, selfCheck: true, timeout: 200ms }
verdict: { threshold: 0%, tolerance: 3%, minDifference: 90s, falseDiscoveryRate: 10% }
`
    const { sampling, verdict } = read(text)
    expect(sampling).toEqual({
      rounds: { min: 30, max: 30 },
      precision: 0.005,
      warmups: 0,
      cache: 'cold',
      budgetSeconds: 5400,
      selfCheck: true,
      timeoutSeconds: 0.2,
    })
    expect(verdict).toEqual({
      metrics: ['wallSeconds'],
      threshold: 0,
      tolerance: 0.03,
      minDifferenceSeconds: 90,
      falseDiscoveryRate: 0.1,
    })
  })

  it.each([
    'rounds: 0..5',
    'rounds: 20...60',
    'rounds: 20-60',
    'rounds: -3',
    'rounds: 99999',
    'precision: 1',
    'precision: "1 %"',
    'precision: -1%',
    'precision: 0%',
    'budget: 2 h',
    'budget: 0s',
    'budget: 1e3s',
    'timeout: Infinity',
    'timeout: none',
    'warmups: 1.5',
    'selfCheck: True',
  ])('are refused when they are guesswork: %s', (line) => {
    expect(faultsOf(`${modes}${log}sampling: { ${line} }\n`)).toHaveLength(1)
  })
})

describe('a dataset', () => {
  it('may ask for a format that is known but cannot be generated yet', () => {
    const text = `${modes}${log}datasets: { a: { generate: mercurial-like, scale: 0.5, format: [zstd, persistent-nodemap], seed: 7 } }\n`
    expect(read(text).datasets).toEqual([
      {
        name: 'a',
        generate: 'mercurial-like',
        scale: 0.5,
        format: ['zstd', 'persistent-nodemap'],
        seed: '7',
      },
    ])
  })

  it('is not needed where no benchmark uses one', () => {
    const text = `${modes}benchmarks: [{ name: exec, command: [run, "\${mode}"] }]\n`
    expect(read(text).datasets).toEqual([])
  })
})

describe('a faulty section', () => {
  it('does not hide the faults of the others', () => {
    const messages = faultsOf(
      `${modes}benchmarks: [hg.command.lgo]\nengines: [revlgo]\nsampling: { rounds: x }\nexclude: 3\n`,
    )
    expect(messages).toHaveLength(4)
  })
})
