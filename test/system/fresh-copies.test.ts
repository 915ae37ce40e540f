/** Commands that write into their dataset: what each sample finds, and what becomes of the original. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { prepareDataset } from '@assay/bench'
import { openStore } from '@assay/store'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { assay } from '../support/programs.ts'
import { openRealChildren, type RealChildren } from '../support/real-children.ts'

let root = ''
let original = ''
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'assay-fresh-'))
  const spec = { preset: 'mercurial-like', scale: 0.002, format: ['zstd'], seed: 'seed' }
  original = (await prepareDataset({ spec, cacheDirectory: join(root, 'datasets') })).directory
})
afterAll(() => rmSync(root, { recursive: true }))

const open = (): RealChildren => {
  const copiesRoot = join(root, 'datasets', '.copies')
  const real = openRealChildren({ datasets: async () => original, copiesRoot })
  onTestFinished(() => real.close())
  return real
}

const place = '${' + 'dataset}'

/** A shell line whose `$0` is the dataset. */
const onDataset = (line: string): string => JSON.stringify(['sh', '-c', line, place])

const campaign = (line: string, rest = 'freshCopy: yes'): string => `
compare: { command: { a: ${onDataset(line)}, b: ${onDataset(line)} } }
datasets: { small: { generate: mercurial-like, scale: 0.002, format: zstd } }
benchmarks: [{ name: exec, ${rest} }]
sampling: { rounds: 3, warmups: 1 }
`

/** Names, sizes, times and contents of everything in the original. */
const stateOf = (directory: string): string =>
  execFileSync(
    'sh',
    [
      '-c',
      'find . -printf "%p %s %m %T@\\n" | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum',
    ],
    { cwd: directory, encoding: 'utf8' },
  )

const states = (real: RealChildren, id: string) =>
  real.store.cells.ofRun(id).map(({ status, reason }) => ({ status, reason }))
const measured = { status: 'measured', reason: null }

/** Fails unless the dataset is as it was prepared; then spoils it. */
const spoil =
  'test ! -e $0/mark && test -s $0/.hg/store/00changelog.i || exit 7; touch $0/mark; rm $0/.hg/store/00changelog.i; mkdir $0/.hg/store/new; chmod a-w $0/.hg/store'

describe('a fresh copy', () => {
  it('is what every sample finds, whatever the one before did; the original stays', async () => {
    const real = open()
    const before = stateOf(original)
    const id = await real.measure(campaign(spoil))
    expect(states(real, id)).toEqual([measured, measured])
    expect(real.samples(id).map(({ outcome }) => outcome)).toEqual(Array(8).fill('good'))
    expect(stateOf(original)).toBe(before)
    expect(readdirSync(join(root, 'datasets', '.copies'))).toEqual([])
  })

  it('is not made where it is not asked for', async () => {
    const real = open()
    const id = await real.measure(campaign(`echo $0 >> ${real.directory}/paths`, 'freshCopy: no'))
    expect(states(real, id)).toEqual([measured, measured])
    expect(new Set(real.lines('paths'))).toEqual(new Set([original]))
  })

  it('has one path for a cell, by which hooks know it too, and is there when they run', async () => {
    const real = open()
    const note = (word: string): string =>
      JSON.stringify(['sh', '-c', `echo ${word} $ASSAY_CELL $0 $ASSAY_DATASET >> seen`, place])
    const mark = JSON.stringify(['sh', '-c', 'test ! -e $0/mark && touch $0/mark', place])
    const hooks = `hooks: { setup: ${mark}, prepare: ${mark}, conclude: ${note('conclude')}, cleanup: ${note('cleanup')} }`
    const id = await real.measure(campaign('test -e $0/mark', `freshCopy: yes, ${hooks}`))
    expect(states(real, id)).toEqual([measured, measured])
    const seen = real.lines('seen').map((line) => line.split(' '))
    expect(seen).toHaveLength(10)
    for (const [, , argument, variable] of seen) expect(argument).toBe(variable)
    for (const cell of ['b1.c1', 'b1.c2']) {
      const paths = new Set(seen.filter((words) => words[1] === cell).map((words) => words[2]))
      expect([...paths]).toEqual([expect.stringContaining(join(cell, 'dataset'))])
    }
  })

  it('can be read cold', async () => {
    const real = open()
    const yaml = campaign(spoil).replace('warmups: 1', 'warmups: 1, cache: cold')
    const id = await real.measure(yaml)
    expect(states(real, id)).toEqual([measured, measured])
  })

  it('that cannot be made fails its sample, with the reason', async () => {
    const copy = join(root, 'pipe', 'repository')
    execFileSync('sh', [
      '-c',
      `mkdir ${dirname(copy)} && cp -a ${original} ${copy} && mkfifo ${copy}/pipe`,
    ])
    const real = openRealChildren({ datasets: async () => copy })
    onTestFinished(() => real.close())
    const id = await real.measure(campaign('true'))
    expect(states(real, id)[0]).toEqual({
      status: 'failed',
      reason: expect.stringMatching(
        /^the warmup was not started: .* cannot be copied to .*pipe is neither file/,
      ),
    })
  })
})

describe('an original that is written into', () => {
  it('fails its cells, for good samples too, and says what to do', async () => {
    const copy = join(root, 'other', 'repository')
    execFileSync('sh', ['-c', `mkdir ${dirname(copy)} && cp -a ${original} ${copy}`])
    const real = openRealChildren({ datasets: async () => copy })
    onTestFinished(() => real.close())
    const id = await real.measure(campaign(`echo x >> ${copy}/.hg/store/00changelog.i`))
    const reason = `the dataset in ${dirname(copy)} is not what was prepared (something wrote into it, not into its copy: let commands and hooks write into ${place} alone): remove the folder and prepare it again`
    expect(states(real, id)).toEqual([
      { status: 'failed', reason },
      { status: 'failed', reason },
    ])
    expect(real.samples(id)).toHaveLength(8)
    expect(real.events.filter(({ type }) => type === 'cell-failed')).toHaveLength(2)
  })

  it('fails the next block of the same run', async () => {
    const directory = join(root, 'run')
    execFileSync('mkdir', [directory])
    const changelog = `${directory}/.assay/datasets/*/repository/.hg/store/00changelog.i`
    const yaml = campaign(`echo x | tee -a ${changelog}`, 'with: { n: [1, 2] }, freshCopy: yes')
    writeFileSync(
      join(directory, 'c.yaml'),
      yaml.replaceAll(`"${place}"`, `"${place}", "${'${'}n}"`),
    )
    const { exitCode } = await assay(directory, 'run', 'c.yaml')
    expect(exitCode).toBe(3)
    const path = join(directory, '.assay', 'assay.db')
    const store = openStore({ path, access: 'read', now: Date.now })
    onTestFinished(() => store.close())
    const [run] = store.runs.list({ limit: 1, cursor: null }).runs
    const reasons = store.cells.ofRun(run?.id ?? '').map(({ reason }) => reason)
    expect(reasons).toHaveLength(4)
    for (const reason of reasons.slice(0, 2)) expect(reason).toMatch(/something wrote into it/)
    for (const reason of reasons.slice(2)) expect(reason).toMatch(/its store has other bytes/)
  })
})

describe('a line that reproduces a sample', () => {
  it('writes into a copy as the sample did', async () => {
    const directory = join(root, 'line')
    execFileSync('mkdir', [directory])
    writeFileSync(join(directory, 'c.yaml'), campaign(spoil))
    await assay(directory, 'run', 'c.yaml')
    const { stdout } = await assay(directory, 'reproduce', 'b1.c2')
    const [name] = readdirSync(join(directory, '.assay', 'datasets'))
    const dataset = join(directory, '.assay', 'datasets', name ?? '', 'repository')
    const before = stateOf(dataset)
    onTestFinished(() => rmSync('/tmp/assay-reproduce-b1.c2', { recursive: true, force: true }))
    execFileSync('sh', ['-c', stdout])
    expect(stateOf(dataset)).toBe(before)
    expect(basename(dataset)).toBe('repository')
    expect(readdirSync('/tmp/assay-reproduce-b1.c2/dataset')).toContain('mark')
  })
})
