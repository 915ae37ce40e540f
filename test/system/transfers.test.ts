/** Benchmarks that transfer revisions, or time steps, on the embedded engine: what samples really did. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDataset } from '@assay/bench'
import { openRepository } from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openRealChildren, type RealChildren } from '../support/real-children.ts'
import { hgEnvironment } from '../support/revlog-against-hg.ts'

let root = ''
let original = ''
let changesets = 0
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'assay-transfers-'))
  const spec = { preset: 'mercurial-like', scale: 0.002, format: ['zstd'], seed: 'seed' }
  const dataset = await prepareDataset({ spec, cacheDirectory: join(root, 'datasets') })
  original = dataset.directory
  changesets = dataset.revisions
})
afterAll(() => rmSync(root, { recursive: true }))

const open = (): RealChildren => {
  const copiesRoot = join(root, 'datasets', '.copies')
  const real = openRealChildren({ datasets: async () => original, copiesRoot })
  onTestFinished(() => real.close())
  return real
}

/** A hook that notes under `name` how many changesets a repository has before or after a sample. */
const countInto = (name: string, repository: string): string =>
  JSON.stringify([
    ...['sh', '-c', 'echo $(hg -R "$0" log -r tip -T "{rev + 1}") >> "$1"'],
    ...[repository, name],
  ])

const campaign = (benchmark: string): string => `
compare: { mode: [no-mmap, mmap-populate] }
datasets: { small: { generate: mercurial-like, scale: 0.002, format: zstd } }
benchmarks: [${benchmark}]
sampling: { rounds: 1, warmups: 1 }
`

const place = '${' + 'dataset}'

const measuredWith = async (real: RealChildren, benchmark: string) => {
  const samples = real.samples(await real.measure(campaign(benchmark)))
  expect(samples.map(({ outcome, stderr }) => `${outcome} ${stderr}`)).toEqual(
    samples.map(() => 'good '),
  )
  expect(samples.length).toBe(4)
  return samples
}

describe('the inputs of a sample', () => {
  it.each([
    ['hg.command.unbundle', 'last-20', '', 20],
    ['hg.command.pull', 'any-1-extra-rev', ', explicit-rev: all-out-heads, protocol: ssh', 1],
  ])(
    '%s of %s begins without those revisions, and ends with all',
    async (name, revs, how, extra) => {
      const real = open()
      const [before, after] = ['before', 'after'].map((file) =>
        countInto(join(real.directory, file), place),
      )
      await measuredWith(
        real,
        `{ name: ${name}, with: { revs: ${revs}${how} }, hooks: { prepare: ${before}, conclude: ${after} } }`,
      )
      expect(real.lines('before')).toEqual(Array(4).fill(`${changesets - extra}`))
      expect(real.lines('after')).toEqual(Array(4).fill(`${changesets}`))
    },
  )

  it('of a push over the protocol of ssh are another repository, which then has all', async () => {
    const real = open()
    const remote = place.replace('}', '}/../remote')
    const after = countInto(join(real.directory, 'after'), remote)
    await measuredWith(
      real,
      `{ name: hg.command.push, with: { revs: last-20, protocol: ssh, explicit-rev: all-out-heads, reuse-external-delta-parent: yes }, hooks: { conclude: ${after} } }`,
    )
    expect(real.lines('after')).toEqual(Array(4).fill(`${changesets}`))
    const inputs = join(original, '..', 'inputs', 'last-20', 'inputs.json')
    const args = ['log', '-r', 'heads(last(all(), 20))', '-T', '{node}\n']
    const heads = execFileSync('hg', ['-R', original, ...args], { encoding: 'utf8' })
    expect(JSON.parse(readFileSync(inputs, 'utf8')).heads).toEqual(heads.trim().split('\n'))
  })

  it('that a history is too short for fail the cell, with the reason', async () => {
    const real = open()
    const id = await real.measure(
      campaign('{ name: hg.command.unbundle, with: { revs: last-5000 } }'),
    )
    expect(real.store.cells.ofRun(id).map(({ reason }) => reason)).toEqual(
      Array(2).fill(
        `the inputs of revs: last-5000 cannot be made of this dataset: it has ${changesets} revisions only`,
      ),
    )
  })

  it('leave the dataset as it was', () => {
    const repository = openRepository(original, { mode: 'no-mmap' })
    onTestFinished(() => repository.close())
    expect(repository.changelog.length).toBe(changesets)
  })
})

it('a history with markers of obsolete changesets has inputs as well', async () => {
  const marked = join(root, 'datasets', 'marked', 'repository')
  cpSync(original, marked, { recursive: true })
  const markers = ['--config', 'experimental.evolution.createmarkers=yes']
  const head = ['log', '-r', 'first(heads(all()) - tip)', '-T', '{node}']
  const node = execFileSync('hg', ['-R', marked, ...head], { encoding: 'utf8' })
  execFileSync('hg', ['-R', marked, ...markers, 'debugobsolete', node], { env: hgEnvironment() })
  const copiesRoot = join(root, 'datasets', '.copies')
  const real = openRealChildren({ datasets: async () => marked, copiesRoot })
  onTestFinished(() => real.close())
  await measuredWith(real, '{ name: hg.command.unbundle, with: { revs: last-3 } }')
})

describe('the steps of a perf command', () => {
  it.each(['unbundle', 'discovery'])('%s works on the same inputs', async (name) => {
    const with20 = `with: { revs: last-20${name === 'discovery' ? ', protocol: ssh' : ''} }`
    const samples = await measuredWith(open(), `{ name: hg.perf.${name}, ${with20} }`)
    for (const { metrics } of samples) {
      expect(
        metrics[`perf${name === 'unbundle' ? 'Unbundle' : 'Discovery'}Seconds`],
      ).toBeGreaterThan(0)
    }
  })

  it('are metrics of its sample, one name for whichever compression is compared', async () => {
    const samples = await measuredWith(
      open(),
      '{ name: hg.perf.revlogchunks, with: { revlog: manifest, compression: zstd } }',
    )
    for (const { metrics } of samples) {
      expect(Object.keys(metrics)).toEqual(
        expect.arrayContaining([
          ...['readSeconds', 'readReusedFdSeconds', 'readBatchSeconds'],
          ...['readBatchReusedFdSeconds', 'chunkSeconds', 'chunkBatchSeconds', 'compressSeconds'],
        ]),
      )
      expect(metrics['compressSeconds']).toBeGreaterThan(0)
    }
  })
})
