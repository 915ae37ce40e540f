/** How a benchmark is executed: hooks, exit codes, output, repeats, datasets of commands. */
import { expandCampaign, parseCampaign } from '@assay/campaign'
import type { Campaign, Plan } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'

const parse = (text: string) => parseCampaign(text, { file: 'x.yaml', catalogue })
const read = (text: string): Campaign => {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.diagnostics.map(({ message }) => message).join('\n'))
  return parsed.campaign
}
const faultsOf = (text: string): readonly string[] => {
  const parsed = parse(text)
  return parsed.ok ? [] : parsed.diagnostics.map(({ code, message }) => `${code}: ${message}`)
}
const planOf = (text: string, workingDirectory?: string): Plan =>
  expandCampaign(read(text), {
    ...{ seed: '7', campaignDigest: 'abc', catalogue },
    ...(workingDirectory === undefined ? {} : { workingDirectory }),
  })
const place = (name: string): string => `$${`{${name}}`}`

const modes = 'compare: { mode: { with: mmap-populate, without: mmap-no-populate } }\n'
const log = (rest: string): string => `${modes}benchmarks: [{ name: hg.command.log, ${rest} }]\n`
const exec = (rest: string): string =>
  `compare: { size: [1, 2] }\nbenchmarks: [{ name: exec, ${rest} }]\n`

describe('the execution of a benchmark', () => {
  it('is plain, and then not written, unless a campaign says more', () => {
    const plain = log('hooks: {}, exitCodes: 0, parallel: 1')
    expect(read(plain).benchmarks).toEqual(read(log('')).benchmarks)
    expect(read(plain).benchmarks[0]?.execution).toBeUndefined()
  })

  it('has each hook as literal argv, the exit codes in order, and the rest as written', () => {
    const text = log(`
      hooks: { setup: [sh, -c, "make; x"], prepare: [sync], cleanup: [rm, "${place('mode')}"] },
      exitCodes: [3, 0, 3], output: { contains: "0x10: yes", every: true }, parallel: 4`)
    expect(read(text).benchmarks[0]?.execution).toEqual({
      hooks: {
        setup: ['sh', '-c', 'make; x'],
        prepare: ['sync'],
        cleanup: ['rm', place('mode')],
      },
      exitCodes: [0, 3],
      output: { contains: '0x10: yes', every: true },
      parallel: 4,
      loops: 1,
    })
  })

  it('takes one exit code, or any; and a digest in whatever case it is written', () => {
    const text = log(`exitCodes: any, output: { sha256: ${'AB'.repeat(32)} }`)
    expect(read(text).benchmarks[0]?.execution).toMatchObject({
      exitCodes: 'any',
      output: { sha256: 'ab'.repeat(32), every: false },
    })
    expect(read(log('exitCodes: 1')).benchmarks[0]?.execution?.exitCodes).toEqual([1])
  })

  it('repeats inside a sample where the command has a place for it: calibrated, or so often', () => {
    const command = `command: [run, "${place('size')}", "${place('loops')}"]`
    expect(read(exec(command)).benchmarks[0]?.execution?.loops).toBe('auto')
    expect(read(exec(`${command}, loops: 8`)).benchmarks[0]?.execution?.loops).toBe(8)
  })

  it('goes into the plan and into the identity of the variant', () => {
    const texts = [
      '',
      'hooks: { setup: [a] }',
      'hooks: { prepare: [a] }',
      'hooks: { prepare: [b] }',
      'exitCodes: [0, 1]',
      'exitCodes: any',
      'output: { contains: a }',
      'output: { contains: a, every: true }',
      'parallel: 2',
      'freshCopy: yes',
    ]
    const cells = texts.map((rest) => planOf(log(rest)).blocks[0]?.cells[0])
    expect(new Set(cells.map((cell) => cell?.variantId)).size).toBe(texts.length)
    expect(cells[1]?.execution?.hooks).toEqual({ setup: ['a'] })
    const [calibrated, fixed] = ['auto', '8'].map(
      (loops) =>
        planOf(exec(`command: [r, "${place('size')}", "${place('loops')}"], loops: ${loops}`))
          .blocks[0]?.cells[0]?.variantId,
    )
    expect(calibrated).not.toBe(fixed)
  })

  it('copies its dataset anew where that is asked for; of what writes anyway, that is not said', () => {
    const executionOf = (text: string) => read(text).benchmarks[0]?.execution
    expect(executionOf(log('freshCopy: yes'))?.freshCopy).toBe(true)
    expect(executionOf(log('freshCopy: true'))?.freshCopy).toBe(true)
    expect(executionOf(log('freshCopy: no'))).toBeUndefined()
    expect(executionOf(log('parallel: 2, freshCopy: no'))).not.toHaveProperty('freshCopy')
    const push = log('freshCopy: yes').replace('hg.command.log', 'hg.command.push')
    expect(executionOf(push)).toBeUndefined()
  })

  it('starts where the run was started, which is not part of the identity', () => {
    const hooked = log('hooks: { setup: [a] }')
    const [here] = planOf(hooked, '/here').blocks[0]?.cells ?? []
    const [there] = planOf(hooked).blocks[0]?.cells ?? []
    expect([here?.workingDirectory, there?.workingDirectory]).toEqual(['/here', undefined])
    expect(here?.variantId).toBe(there?.variantId)
    expect(planOf(log(''), '/here').blocks[0]?.cells[0]).not.toHaveProperty('workingDirectory')
  })
})

describe('a fault of execution', () => {
  it.each([
    [
      log('hooks: { stup: [a] }'),
      'unknown-key: unknown key of benchmarks[0].hooks "stup"; did you mean "setup"?',
    ],
    [
      log('hooks: { setup: make all }'),
      'wrong-type: benchmarks[0].hooks.setup wants a list, not a text',
    ],
    [log('exitCodes: [0, 256]'), 'malformed: 256 is out of range; it wants 0 to 255'],
    [
      log('exitCodes: none'),
      'malformed: "none" is no exit code; write a number from 0 to 255, a list of them, or any',
    ],
    [
      log('output: { every: true }'),
      'output-one-check: output is checked in one way; write { contains: TEXT } or { sha256: HEX }',
    ],
    [log('output: { sha256: abc }'), 'malformed: "abc" is no SHA-256; write its 64 hex digits'],
    [
      log('freshCopy: maybe'),
      'unknown-name: unknown value of freshCopy "maybe"; known: yes, no, true, false',
    ],
    [
      log('freshCopy: no').replace('hg.command.log', 'hg.command.push'),
      'fresh-copy-needed: hg.command.push writes into its dataset, so each sample has a fresh copy; remove freshCopy',
    ],
    [
      exec(`command: ["${place('size')}"], freshCopy: yes`),
      `fresh-copy-unused: exec has no dataset to copy; put ${place('dataset')} into its command, or remove freshCopy`,
    ],
    [log('parallel: 0'), 'malformed: 0 is out of range; it wants 1 to 128'],
    [
      log('loops: 2'),
      'unknown-key: unknown key of benchmarks[0] "loops"; known: name, with, hooks, exitCodes, output, env, parallel, freshCopy',
    ],
    [
      exec(`command: ["${place('size')}"], loops: auto`),
      `loops-unused: the command does not use loops; put ${place('loops')} into it, where it repeats itself that often`,
    ],
    [
      exec(`command: ["${place('size')}"], loops: often`),
      'malformed: "often" is no number of loops; write auto or a number',
    ],
    [
      exec('with: { n: 1 }'),
      'command-missing: exec needs a command; write { name: exec, command: [program, argument] }',
    ],
    [
      `${modes}benchmarks: [{ name: exec, command: ["${place('mode')}"], with: { loops: 1 } }]\n`,
      'reserved-name: loops cannot name a parameter, it is the number of inner repeats; choose another name',
    ],
    [
      log(`hooks: { prepare: [a, "${place('patch')}${place('loops')}"] }`),
      `unknown-place: unknown place "${place('loops')}"; known: ${['mode', 'patch', 'dataset'].map(place).join(', ')} (write $${'${'} for a literal ${'${'})`,
    ],
  ])('is said: %s', (text, fault) => {
    expect(faultsOf(text)).toContain(fault)
  })
})

describe('a command with a place for the dataset', () => {
  const command = `command: [du, "${place('dataset')}", "${place('size')}"]`
  const datasets =
    'datasets: { a: { generate: mercurial-like }, b: { generate: mozilla-try-like } }\n'

  it('is measured on each dataset, which is in its headings', () => {
    const { blocks } = planOf(exec(command) + datasets)
    expect(blocks.map(({ headings }) => headings['data-env-vars.name'])).toEqual(['a', 'b'])
    expect(blocks.map(({ cells }) => cells[0]?.dataset?.name)).toEqual(['a', 'b'])
  })

  it('may be in a hook only', () => {
    const hooked = `command: [du, "${place('size')}"], hooks: { prepare: [cat, "${place('dataset')}/x"] }`
    expect(planOf(exec(hooked) + datasets).blocks).toHaveLength(2)
  })

  it('wants a dataset named', () => {
    expect(faultsOf(exec(command))).toEqual([
      'dataset-missing: exec needs a dataset; name one, such as datasets: { small: { generate: PRESET } }',
    ])
  })

  it('can compare datasets', () => {
    const text = `compare: { dataset: [a, b] }\n${datasets}benchmarks: [{ name: exec, command: [du, "${place('dataset')}"] }]\n`
    expect(planOf(text).blocks[0]?.cells.map(({ dataset }) => dataset?.name)).toEqual(['a', 'b'])
  })
})

describe('compared commands', () => {
  const text = `compare: { command: { nap: [sleep, "0.1"], "a ${place('t')}": [sleep, "${place('t')}"] } }
benchmarks: [{ name: exec, with: { t: [1, 2] } }]
`

  it('are cells of one block, each with its command', () => {
    const plan = planOf(text)
    expect(plan.comparedFactor).toBe('command')
    expect(plan.blocks.map(({ headings }) => headings)).toEqual([
      { 'benchmark.name': 'exec', 'bin-env-vars.engine': 'exec', 'benchmark.variants.t': '1' },
      { 'benchmark.name': 'exec', 'bin-env-vars.engine': 'exec', 'benchmark.variants.t': '2' },
    ])
    expect(plan.blocks[1]?.cells.map(({ label, command }) => [label, command])).toEqual([
      ['nap', ['sleep', '0.1']],
      [`a ${place('t')}`, ['sleep', place('t')]],
    ])
  })

  it('have the identity that the command has by itself', () => {
    const own = 'benchmarks: [{ name: exec, command: [sleep, "0.1"] }]\nengines: [exec]\n'
    const [alone] = planOf(`compare: { engine: [exec] }\n${own}`).blocks[0]?.cells ?? []
    const [compared] =
      planOf('compare: { command: { x: [sleep, "0.1"] } }\nbenchmarks: [exec]\n').blocks[0]
        ?.cells ?? []
    expect(compared?.variantId).toBe(alone?.variantId)
  })

  it('can be excluded by their label', () => {
    const labels = planOf(`${text}exclude: [{ command: nap, t: 2 }]\n`).blocks.map(({ cells }) =>
      cells.map(({ label }) => label),
    )
    expect(labels).toEqual([['nap', `a ${place('t')}`], [`a ${place('t')}`]])
  })

  it('may be the same twice, under two labels', () => {
    const same = 'compare: { command: { x: [id], y: [id] } }\nbenchmarks: [exec]\n'
    const ids = planOf(same).blocks[0]?.cells.map(({ variantId }) => variantId)
    expect(new Set(ids).size).toBe(1)
  })

  it.each([
    [
      'compare: { command: { x: [id] } }\nbenchmarks: [{ name: exec, command: [id] }]\n',
      'compared-and-set: command is compared; remove it from the benchmark',
    ],
    [
      'compare: { command: { x: [id] } }\nbenchmarks: [hg.command.log]\n',
      'compare-not-applicable: hg.command.log takes no command, and commands are compared; give it a campaign of its own',
    ],
    [
      'compare: { command: { x: id } }\nbenchmarks: [exec]\n',
      'wrong-type: compare.command.x wants a list, not a text',
    ],
    [
      'compare: { command: [id, ls] }\nbenchmarks: [exec]\n',
      'wrong-type: compare.command wants a map, not a list',
    ],
    [
      `compare: { command: { x: [id, "${place('loops')}"], y: [ls] } }\nbenchmarks: [exec]\n`,
      `loops-unused: the command does not use loops; put ${place('loops')} into it, where it repeats itself that often`,
    ],
    [
      'compare: { loops: [1, 2] }\nbenchmarks: [{ name: exec, command: [id] }]\n',
      'reserved-name: loops cannot be compared, it is the number of inner repeats; choose another name',
    ],
  ])('have their faults: %s', (yaml, fault) => {
    expect(faultsOf(yaml)).toContain(fault)
  })
})

describe('judged metrics', () => {
  const metricsOf = (metrics: string) =>
    read(`${log('')}verdict: { metrics: ${metrics} }\n`).verdict.metrics

  it('are wall-clock time alone, or those that are named, the primary first', () => {
    expect(read(log('')).verdict.metrics).toEqual(['wallSeconds'])
    expect(metricsOf('peakRssBytes')).toEqual(['peakRssBytes'])
    expect(metricsOf('[userSeconds, wallSeconds]')).toEqual(['userSeconds', 'wallSeconds'])
  })

  it('may be an engine\u2019s own, but not the typo of a known one', () => {
    expect(metricsOf('[decompressedChunks]')).toEqual(['decompressedChunks'])
    const typo = `${log('')}verdict: { metrics: [wallSecond] }\n`
    expect(faultsOf(typo)).toEqual([
      'malformed: unknown metric "wallSecond"; did you mean "wallSeconds"?',
    ])
  })

  it('are each there once', () => {
    expect(faultsOf(`${log('')}verdict: { metrics: [wallSeconds, wallSeconds] }\n`)).toEqual([
      'malformed: a metric is there twice; remove one',
    ])
  })
})
