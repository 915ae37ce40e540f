/** `assay gate` and `assay review` as a pipeline and a person type them: exit codes, texts, files. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gateSchema } from '@assay/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assay, startServer } from '../support/programs.ts'

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-gate-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** A campaign whose candidate takes so long; null for one that fails. */
const campaignOf = (name: string, baseline: number | null, candidate: number | null): string => {
  const line = (label: string, seconds: number | null) => ({
    headings: {},
    label,
    seconds: (seconds === null ? [-1] : [1, 1.001, 0.999, 1.0005]).map(
      (factor) => factor * (seconds ?? 1),
    ),
  })
  writeFileSync(
    join(directory, `${name}.json`),
    JSON.stringify([line('before', baseline), line('after', candidate)]),
  )
  writeFileSync(
    join(directory, `${name}.yaml`),
    `
compare: { mode: { before: no-mmap, after: mmap-populate } }
engines: [{ fake: ${name}.json }]
datasets: { tiny: { generate: mercurial-like, scale: 0.002 } }
benchmarks: [{ name: hg.command.log, with: { limit-rev: 1 } }]
sampling: { rounds: 20, warmups: 0 }
`,
  )
  return `${name}.yaml`
}

describe('assay gate', () => {
  it.each([
    ['slower', 1, 1.1, 1, /^gate: blocked: 1 regression of 1 row$/m],
    ['faster', 1, 0.9, 0, /^gate: passed: 1 row passed$/m],
    ['same', 1, 1, 0, /^gate: passed: 1 row passed$/m],
    ['failing', 1, null, 3, /^gate: unmeasured: 1 failed row of 1 row$/m],
    ['baseless', null, 1, 3, /^gate: unmeasured: 1 missing row of 1 row$/m],
  ] as const)('on a change that is %s', async (name, baseline, candidate, exitCode, said) => {
    const file = campaignOf(name, baseline, candidate)
    const ended = await assay(directory, 'gate', file, '--name', name, '--junit', `${name}.xml`)
    expect(ended.exitCode, ended.stderr).toBe(exitCode)
    expect(ended.stdout).toMatch(said)
    // The script plays the same seconds again: what regressed regresses twice.
    expect(ended.stdout.includes('measured again:')).toBe(exitCode === 1)
    const xml = readFileSync(join(directory, `${name}.xml`), 'utf8')
    expect(xml).toContain(`failures="${exitCode === 1 ? 1 : 0}" errors="${exitCode === 3 ? 1 : 0}"`)
  })

  it('lets through what a person accepted, and says so everywhere', async () => {
    const gate = ['gate', '--run', 'slower']
    const reason = 'it checks more'
    const accept = ['review', 'accept', 'slower', '--row', 'b1.c2', '--reason', reason]
    expect((await assay(directory, ...gate)).exitCode).toBe(1)
    expect((await assay(directory, ...accept)).stdout).toContain('b1.c2 accepted by local user')
    const passed = await assay(directory, ...gate, '--json', '--markdown', 'comment.md')
    expect(passed.exitCode).toBe(0)
    const { rows } = gateSchema.parse(JSON.parse(passed.stdout))
    expect(rows).toMatchObject([{ state: 'accepted', blocker: 'regression' }])
    const comment = readFileSync(join(directory, 'comment.md'), 'utf8')
    expect(comment).toMatch(
      /^\*\*Gate: passed\.\*\* 1 row passed; 1 accepted row would have blocked/,
    )
    expect(comment).toContain(reason)
    for (const format of ['full', 'compact', 'markdown', 'json', 'html']) {
      const { stdout } = await assay(directory, 'report', 'slower', '--format', format)
      expect(stdout, format).toContain(reason)
    }
  })

  it('takes its rules from the command line, and names what it does not know', async () => {
    const gate = (...rules: string[]) => assay(directory, 'gate', '--run', 'baseless', ...rules)
    expect((await gate('--block', 'regression')).exitCode).toBe(0)
    const unknown = await gate('--block', 'slow')
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('slow is none')])
    const nothing = await assay(directory, 'gate')
    expect([nothing.exitCode, nothing.stderr]).toEqual([
      2,
      expect.stringContaining('name a campaign'),
    ])
  })
})

it('a server measures, confirms and decides, while the command line waits', async () => {
  const server = await startServer(directory, { campaigns: directory, worker: true })
  try {
    const gate = (file: string) => {
      const asked = ['--server', server.url, '--token', server.token, '--json']
      return assay(directory, 'gate', file, ...asked)
    }
    const file = campaignOf('on-server', 1, 1.1)
    writeFileSync(
      join(directory, file),
      readFileSync(join(directory, file), 'utf8').replace('fake: ', `fake: ${directory}/`),
    )
    const ended = await gate(file)
    expect(ended.exitCode, ended.stderr).toBe(1)
    const { confirmedBy, rows } = gateSchema.parse(JSON.parse(ended.stdout))
    expect(confirmedBy).not.toBeNull()
    expect(rows).toMatchObject([{ state: 'blocks', blocker: 'regression' }])
    expect(ended.stderr).toMatch(/measuring.*confirming.*decided/s)
    const nobody = await assay(directory, 'gate', file, '--server', server.url, '--token', 'none')
    expect([nobody.exitCode, nobody.stderr]).toEqual([2, expect.stringContaining('token-unknown')])
  } finally {
    await server.stop('SIGTERM')
  }
})
