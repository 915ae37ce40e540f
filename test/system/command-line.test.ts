/** The compiled command line on the embedded engine, as a person uses it. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failureSchema, reportSchema } from '@assay/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { assay, assayProgram, startProgram } from '../support/programs.ts'

const yaml = `
compare: { mode: [no-mmap, mmap-no-populate, mmap-populate, mmap-populate-thread] }
datasets: { tiny: { generate: changelog-only, scale: 0.02, format: [zstd] } }
benchmarks:
  - { name: hg.command.log, with: { rev: tip } }
  - { name: exec, command: ['echo', '\${mode}'] }
sampling: { rounds: 3, warmups: 1 }
`

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-cli-'))
  writeFileSync(join(directory, 'campaign.yaml'), yaml)
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('assay', () => {
  it('measures four access modes into a store named by a relative path', async () => {
    const run = await assay(directory, 'run', 'campaign.yaml', '--db', 'here.db')
    expect(run.exitCode, run.stderr).toBe(0)
    for (const label of ['no-mmap', 'mmap-no-populate', 'mmap-populate', 'mmap-populate-thread']) {
      expect(run.stdout).toMatch(new RegExp(`^${label}: 0\\.\\d{6}`, 'm'))
      expect(run.stdout).toMatch(new RegExp(`^${label}: unsupported \\(.*exec is run by`, 'm'))
    }
    const again = await assay(directory, 'report', '--db', 'here.db')
    expect(again.stdout).toBe(run.stdout)
  })

  it('keeps what the engine did as metrics of every sample', async () => {
    const { openStore } = await import('@assay/store')
    const store = openStore({ path: join(directory, 'here.db'), access: 'read', now: Date.now })
    try {
      const { id } = store.runs.find('latest')
      const { samples } = store.samples.ofRun(id, { limit: 1000, cursor: null })
      const { plan } = store.runs.get(id)
      const modes = new Map(plan.blocks.flatMap(({ cells }) => cells.map((c) => [c.id, c.mode])))
      // 20,000 revisions of 64 bytes each.
      const indexBytes = 1_280_000
      const expected = new Map([
        ['no-mmap', { mappedBytes: 0, populatedBytes: 0 }],
        ['mmap-no-populate', { mappedBytes: indexBytes, populatedBytes: 0 }],
        ['mmap-populate', { mappedBytes: indexBytes, populatedBytes: indexBytes }],
        ['mmap-populate-thread', { mappedBytes: indexBytes, populatedBytes: indexBytes }],
      ])
      expect(samples.length).toBe(4 * 4)
      for (const { cellId, metrics, usage } of samples) {
        expect(metrics).toMatchObject(expected.get(modes.get(cellId) ?? '') ?? {})
        expect(metrics['engineSeconds']).toBeGreaterThan(0)
        expect(metrics['engineSeconds']).toBeLessThan(usage.wallSeconds)
        expect(usage.peakRssBytes).toBeGreaterThan(20_000_000)
      }
    } finally {
      store.close()
    }
  })

  it('prints the report as JSON that the published schema accepts', async () => {
    const { stdout } = await assay(directory, 'report', '--db', 'here.db', '--json')
    const report = reportSchema.parse(JSON.parse(stdout))
    expect(report.counts.unsupported).toBe(3)
  })

  it('exits with 3 when a cell could not be measured, and says why in the report', async () => {
    const failing = `
compare: { mode: { fine: no-mmap, broken: mmap-populate } }
engines: [exec]
benchmarks: [{ name: exec, command: [test, "\${mode}", "=", no-mmap] }]
sampling: { rounds: 3, warmups: 1 }
`
    writeFileSync(join(directory, 'failing.yaml'), failing)
    const run = await assay(directory, 'run', 'failing.yaml', '--db', 'failing.db')
    expect(run.exitCode).toBe(3)
    expect(run.stdout).toMatch(/^fine: 0\.\d{6}$/m)
    expect(run.stdout).toMatch(/^broken: failed \(the warmup exited with 1/m)
    const again = await assay(directory, 'report', '--db', 'failing.db')
    expect(again.exitCode).toBe(3)
    expect(again.stdout).toBe(run.stdout)
  })

  it('says in one sentence why a campaign cannot be read, and what to do', async () => {
    const missing = await assay(directory, 'plan', 'nope.yaml')
    expect(missing.exitCode).toBe(2)
    expect(missing.stderr).toContain('nope.yaml: no such file; `assay init nope.yaml` writes one')
    expect(missing.stderr).not.toContain('ENOENT')
    const folder = await assay(directory, 'run', '.')
    expect(folder.stderr).toContain('is a folder')
  })

  it('counts one block as one, and offers only formats that can be printed', async () => {
    const plan = await assay(directory, 'plan', 'campaign.yaml', '--only', 'patch=no')
    expect(plan.stdout).toContain('1 block, 4 cells')
    const help = await assay(directory, 'compare', '--help')
    expect(help.stdout).toContain('"markdown"')
    expect(help.stdout).not.toContain('"csv"')
  })

  it('answers bad usage with 2, naming file, line, column and remedy', async () => {
    writeFileSync(
      join(directory, 'typo.yaml'),
      'compare: { mode: [mmap-polulate] }\nbenchmarks: []\n',
    )
    const typo = await assay(directory, 'validate', 'typo.yaml')
    expect(typo.exitCode).toBe(2)
    expect(typo.stderr).toContain(
      'typo.yaml:1:19: unknown access mode "mmap-polulate"; did you mean "mmap-populate"?',
    )
    const unknown = await assay(directory, 'meassure')
    expect(unknown.exitCode).toBe(2)
    expect(existsSync(join(directory, '.assay'))).toBe(false)
  })

  it.each([
    'run invalid.yaml',
    'run campaign.yaml --only dataset=nowhere',
    'resume',
    'report',
    'runs',
  ])('`%s` leaves no store where there is nothing to keep, and says in JSON why', async (line) => {
    const folder = mkdtempSync(join(directory, 'empty-'))
    writeFileSync(join(folder, 'invalid.yaml'), 'compare: {}\n')
    writeFileSync(join(folder, 'campaign.yaml'), yaml)
    const { exitCode, stderr, stdout } = await assay(folder, ...line.split(' '), '--json')
    expect(exitCode).toBe(2)
    const { error } = failureSchema.parse(JSON.parse(stdout))
    expect([error.exitCode, stderr.trimEnd()]).toEqual([2, expect.stringContaining(error.message)])
    if (line === 'run invalid.yaml') {
      expect(error.details['faults']).toContainEqual(
        expect.objectContaining({ file: 'invalid.yaml', line: 1, code: 'missing-key' }),
      )
    }
    if (!line.startsWith('run ')) expect(stderr).toContain('run a campaign first')
    expect(existsSync(join(folder, '.assay'))).toBe(false)
  })
})

const steady = `
compare: { mode: { first: no-mmap, second: mmap-populate } }
engines: [exec]
benchmarks: [{ name: exec, command: [sh, -c, "sleep 0.05", "\${mode}"] }]
sampling: { rounds: 40, warmups: 0 }
`

describe('a run beside a run that was stopped', () => {
  it('measures its own blocks only, and resume completes the other', async () => {
    const folder = mkdtempSync(join(directory, 'two-'))
    writeFileSync(join(folder, 'steady.yaml'), steady)
    const stopped = startProgram(folder, assayProgram, 'run', 'steady.yaml', '--name', 'stopped')
    // Not by the clock: on a busy host a second may not be enough to begin.
    stopped.stderr?.on('data', (chunk: Buffer) => {
      if (chunk.includes('measuring')) setTimeout(() => stopped.kill('SIGINT'), 300)
    })
    expect((await stopped).exitCode).toBe(3)
    const samplesOf = async (name: string): Promise<number> => {
      const runs = z
        .array(z.looseObject({ name: z.string().nullable(), samples: z.int() }))
        .parse(JSON.parse((await assay(folder, 'runs', '--json')).stdout))
      return runs.find((run) => run.name === name)?.samples ?? -1
    }
    const before = await samplesOf('stopped')
    expect(before).toBeLessThan(80)
    const unfinished = await assay(folder, 'report', 'stopped')
    expect(unfinished.exitCode).toBe(3)
    expect(unfinished.stderr).toMatch(/was interrupted; go on with: assay resume [0-9a-f]+/)
    expect((await assay(folder, 'runs')).stdout).toMatch(/ stopped +\S+ +interrupted /)
    const watched = await assay(folder, 'watch', 'stopped')
    expect(watched.exitCode).toBe(3)
    expect(watched.stderr).toMatch(/nobody is measuring this run; `assay resume [0-9a-f]+` goes on/)
    const other = await assay(folder, 'run', 'steady.yaml', '--name', 'other', '--quick')
    expect(other.exitCode, other.stderr).toBe(0)
    expect(await samplesOf('other')).toBe(10)
    expect(await samplesOf('stopped')).toBe(before)
    expect((await assay(folder, 'resume', 'stopped')).exitCode).toBe(0)
    expect(await samplesOf('stopped')).toBe(80)
    const again = await assay(folder, 'resume', 'stopped')
    expect(again.exitCode).toBe(0)
    expect(again.stderr).toContain('is complete: there was nothing left to measure')
    expect(again.stdout).toBe((await assay(folder, 'report', 'stopped')).stdout)
  })
})
