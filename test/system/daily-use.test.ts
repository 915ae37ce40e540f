/** The verbs of every day, as a person types them: exec, import, compare, reproduce, rerun, doctor. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { assay, assayProgram } from '../support/programs.ts'

const fixture = (name: string): string =>
  new URL(`../fixtures/import/${name}`, import.meta.url).pathname

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-daily-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('assay exec', () => {
  it('sets two commands against each other and judges them', async () => {
    const argv = ['--runs', '12', '--name', 'sleeps', 'sleep 0.01', 'sleep 0.03']
    const { stdout, stderr, exitCode } = await assay(directory, 'exec', ...argv)
    expect(exitCode, stderr).toBe(0)
    expect(stdout).toMatch(/^sleep 0\.01: 0\.01\d{4}$/m)
    expect(stdout).toMatch(/^sleep 0\.03: 0\.03\d{4} \(\+\d+\.\d\d%, \+0\.02\)$/m)
    expect(stdout).toContain('; verdicts: 1 regression')
    // Warmups are no rounds.
    expect(stderr).toContain('round 12 of at most 12')
  })

  it('counts the rounds that were measured, also where fewer than the most were needed', async () => {
    const script = ['a', 'b'].map((label) => ({ label, headings: {}, seconds: [1] }))
    writeFileSync(join(directory, 'script.json'), JSON.stringify(script))
    writeFileSync(
      join(directory, 'precise.yaml'),
      'compare: { mode: { a: no-mmap, b: mmap-populate } }\nengines: [{ fake: script.json }]\nbenchmarks: [hg.command.log]\nsampling: { rounds: 20..60 }\n',
    )
    const { stderr } = await assay(directory, 'run', 'precise.yaml', '--db', 'precise.db')
    expect(stderr).toContain('100 %, round 20 of at most 20')
  })

  it('says that a report could not be written, which is no regression', async () => {
    const full = openSync('/dev/full', 'w')
    try {
      const argv = [assayProgram, 'runs', '--json']
      const { status, stderr } = spawnSync(process.execPath, argv, {
        ...{ cwd: directory, encoding: 'utf8', stdio: ['ignore', full, 'pipe'] },
      })
      expect(status).toBe(4)
      expect(stderr).toMatch(/^assay: the output cannot be written: .*ENOSPC.*\[output-failed\]\n$/)
    } finally {
      closeSync(full)
    }
  })

  it('names the option that has a bad value, and ends a sample that takes too long', async () => {
    for (const [option = '', value = ''] of [
      ['--runs', '0'],
      ['--runs', '9..3'],
      ['--timeout', 'soon'],
    ]) {
      const refused = await assay(directory, 'exec', option, value, 'true', 'false')
      expect(refused.exitCode).toBe(2)
      expect(refused.stderr).toContain(option)
      expect(refused.stderr).not.toMatch(/^exec:\d+/m)
    }
    const long = await assay(directory, 'exec', '--timeout', '48h', 'true', 'false')
    expect([long.exitCode, long.stderr]).toEqual([
      2,
      'assay: 48h is out of range; it wants 0.1s to 86400s [exec-invalid]\n',
    ])
    const argv = ['--timeout', '200ms', '--runs', '1', '--warmup', '0', 'true', 'sleep 30']
    const late = await assay(directory, 'exec', ...argv)
    expect(late.exitCode).toBe(3)
    expect(late.stdout).toContain('timed out')
  })

  it('runs its hooks around the samples, and says which command failed', async () => {
    const log = join(directory, 'log')
    const argv = ['--runs', '2', '--warmup', '0', '--shell', '--prepare', `echo prepare >> ${log}`]
    const ended = await assay(directory, 'exec', ...argv, `echo run >> ${log}`, 'exit 3')
    expect(ended.exitCode).toBe(3)
    expect(ended.stdout).toMatch(/^exit 3: /m)
    const lines = readFileSync(log, 'utf8').trim().split('\n')
    expect(lines.filter((line) => line === 'run')).toHaveLength(2)
    expect(lines[0]).toBe('prepare')
    const untidy = ['--runs', '1', '--warmup', '0', '--cleanup', 'rm nothing', 'true', 'true']
    const left = await assay(directory, 'exec', ...untidy)
    expect([left.exitCode, left.stdout]).toEqual([3, expect.stringContaining('cleanup-failed')])
  })

  it('says when a command leaves processes behind, whose work is not in its time', async () => {
    const argv = ['--shell', '--runs', '2', 'sleep 0.01', 'sleep 9 & sleep 8 & sleep 0.01']
    const { stdout } = await assay(directory, 'exec', ...argv)
    expect(stdout).toContain('(4 by the 2 samples of sleep 9 & sleep 8 & sleep 0.01)')
  })

  it('hands on the variables that it is told to, and no others', async () => {
    const argv = ['--shell', '--runs', '1', '--warmup', '0', '--exit-codes', '7']
    const line = 'test "$FOO:$LOGNAME$USER" = "b a:" && exit 7'
    const told = await assay(directory, 'exec', '--env', 'FOO=b a', ...argv, line, 'exit 7')
    expect(told.exitCode, told.stdout).toBe(0)
    const { stdout } = await assay(directory, 'reproduce', 'b1.c1')
    expect(stdout).toContain("FOO='b a'")
    const unset = await assay(directory, 'exec', '--env', 'NO_SUCH', ...argv, line, 'exit 7')
    expect([unset.exitCode, unset.stderr]).toEqual([
      2,
      expect.stringContaining('NO_SUCH is not set'),
    ])
  })

  it('prints its campaign, which assay run accepts', async () => {
    const argv = [
      '--print-campaign',
      '--runs',
      '3',
      '--parameter',
      'n=1,2',
      'echo ${n}',
      'true ${n}',
    ]
    const { stdout } = await assay(directory, 'exec', ...argv)
    writeFileSync(join(directory, 'printed.yaml'), stdout)
    const run = await assay(directory, 'run', 'printed.yaml')
    expect(run.exitCode, run.stderr).toBe(0)
    expect(run.stdout).toContain('# benchmark.variants.n = 2')
  })

  it('keeps children and itself to the processors it is told, and refuses those that are not there', async () => {
    const argv = ['--runs', '3', 'grep Cpus_allowed_list /proc/self/status', 'true']
    const [, driver = '', child = ''] =
      /^Cpus_allowed_list:\s*(\d+)[,-](?:.*[,-])?(\d+)$/m.exec(
        readFileSync('/proc/self/status', 'utf8'),
      ) ?? []
    const pinned = await assay(directory, 'exec', '--pin', `${child}/${driver}`, ...argv)
    expect(pinned.exitCode, pinned.stderr).toBe(0)
    // Nothing is stored of a run that could not be measured as it was asked for.
    const elsewhere = join(directory, 'pin.db')
    for (const [pin, words] of [
      ['0/0', 'processor 0 would be used by the measured children and by Assay itself'],
      ['1023/0', 'not online on this host'],
      ['one', '--pin'],
    ] as const) {
      const refused = await assay(directory, 'exec', '--db', elsewhere, '--pin', pin, ...argv)
      expect(refused.exitCode).toBe(2)
      expect(refused.stderr).toContain(words)
    }
    expect(existsSync(elsewhere)).toBe(false)
  })
})

describe('assay import', () => {
  it('judges what hyperfine measured, stores it, and finds it again', async () => {
    const imported = await assay(
      directory,
      'import',
      'hyperfine',
      fixture('hyperfine-two-commands.json'),
    )
    expect(imported.exitCode, imported.stderr).toBe(0)
    expect(imported.stdout).toMatch(/sha256sum.*\(\+88\.72%, \+0\.10\)/)
    const report = await assay(directory, 'report', 'latest')
    expect(report.stdout).toBe(imported.stdout)
  })

  it('prints a table of a change message again without a store, and names the line of a garbled one', async () => {
    const table =
      '### data-env-vars.name = netbeans\n# benchmark.name = hg.command.push\nold: 0.771919\n'
    writeFileSync(join(directory, 'fine.txt'), `${table}new: 0.792025 (+2.60%, +0.02)\n`)
    writeFileSync(join(directory, 'garbled.txt'), `${table}new: 0.cbd4c9 (+11.71%, +0.03)\n`)
    const argv = ['import', 'text', '--dry-run', '--report', 'compact']
    const fine = await assay(directory, ...argv, 'fine.txt')
    expect(fine.stdout).toContain('new: 0.792025 (+2.60%, +0.02)')
    const same = ['import', 'text', '--dry-run', '--format', 'compact', 'fine.txt']
    expect((await assay(directory, ...same)).stdout).toBe(fine.stdout)
    const garbled = await assay(directory, ...argv, 'garbled.txt')
    expect(garbled.exitCode).toBe(2)
    expect(garbled.stderr).toMatch(/garbled\.txt.*4/)
  })
})

describe('what was measured', () => {
  it('can be compared with another run, by indication only', async () => {
    const again = await assay(directory, 'rerun', 'sleeps', '--name', 'sleeps again')
    expect(again.exitCode, again.stderr).toBe(0)
    const compared = await assay(directory, 'compare', 'sleeps', 'sleeps again')
    expect(compared.exitCode, compared.stderr).toBe(0)
    expect(compared.stdout).toMatch(/indicative/)
    expect(compared.stdout).not.toMatch(/regression|improvement/)
  })

  it('can be judged by another metric, and printed in every format', async () => {
    const peak = await assay(directory, 'report', 'sleeps', '--metric', 'peakRssBytes')
    expect(peak.stdout).toContain('; metric: peakRssBytes in bytes')
    const csv = await assay(directory, 'report', 'sleeps', '--format', 'csv')
    // A header, 12 rounds and a warmup of two cells.
    expect(csv.stdout.trim().split('\n').length).toBeGreaterThanOrEqual(1 + 2 * 12)
    const page = await assay(directory, 'report', 'sleeps', '--format', 'html')
    expect(page.stdout).toMatch(/^<!doctype html>/i)
    expect(page.stdout).not.toMatch(/(src|href)="https?:/)
  })

  it('can be reproduced by the line that is printed', async () => {
    const { stdout } = await assay(directory, 'reproduce', 'b1.c1', 'sleeps')
    expect(stdout).toMatch(/^cd \S+ && env -i .*HGPLAIN=1.* sleep 0\.01\n$/)
    execFileSync('sh', ['-c', stdout])
    const unknown = await assay(directory, 'reproduce', 'b9.c1', 'sleeps')
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain('b1.c1 (sleep 0.01)')
  })

  it('with hooks can be reproduced with them, where it was measured', async () => {
    const hooks = ['--setup', 'touch "made once"', '--cleanup', 'rm -f "made once"']
    const argv = ['--runs', '1', '--warmup', '0', '--name', 'hooked', ...hooks]
    const measured = await assay(directory, 'exec', ...argv, 'test -e "made once"', 'true')
    expect(measured.exitCode, measured.stderr).toBe(0)
    const { stdout } = await assay(directory, 'reproduce', 'b1.c1', 'hooked')
    expect(stdout).toContain('# setup, once for all samples, not timed\n')
    execFileSync('sh', ['-e', '-c', stdout], { cwd: '/' })
    expect(existsSync(join(directory, 'made once'))).toBe(false)
  })

  it('can be measured again only where it failed', async () => {
    writeFileSync(
      join(directory, 'half.yaml'),
      `
compare: { mode: { fine: no-mmap, other: mmap-populate } }
engines: [exec]
benchmarks:
  - { name: exec, command: [test, "\${mode}", "!=", nothing] }
  - { name: exec, command: [test, -e, "${directory}/wanted", -a, "\${mode}", "!=", nothing] }
sampling: { rounds: 3, warmups: 1 }
`,
    )
    const failed = await assay(directory, 'run', 'half.yaml')
    expect(failed.exitCode).toBe(3)
    writeFileSync(join(directory, 'wanted'), '')
    const again = await assay(directory, 'rerun', '--failed')
    expect(again.exitCode, again.stderr).toBe(0)
    const { stdout } = await assay(directory, 'runs', '--json', '--limit', '1')
    const runs = z
      .array(z.object({ cells: z.object({ total: z.int() }) }))
      .parse(JSON.parse(stdout))
    expect(runs[0]?.cells.total).toBe(2)
    const nothing = await assay(directory, 'rerun', '--failed')
    expect(nothing.exitCode).toBe(2)
  })

  it('can be watched to its end by another process', async () => {
    const watched = await assay(directory, 'watch', 'sleeps')
    expect(watched.exitCode, watched.stderr).toBe(0)
    expect(watched.stderr).toContain('is complete')
    expect(watched.stdout).toContain('; verdicts: 1 regression')
  })
})

describe('assay doctor', () => {
  it('says in plain words and in JSON whether the host is fit', async () => {
    const plain = await assay(directory, 'doctor', '--no-noise')
    expect([0, 3]).toContain(plain.exitCode)
    expect(plain.stdout).toMatch(/kernel: /)
    const json = await assay(directory, 'doctor', '--no-noise', '--json')
    const findings = z
      .object({ findings: z.array(z.object({ code: z.string(), severity: z.string() })) })
      .parse(JSON.parse(json.stdout)).findings
    expect(findings.map(({ code }) => code)).toContain('host-lock')
    const unfit = findings.some(({ severity }) => severity === 'unfit')
    expect(json.exitCode).toBe(unfit ? 3 : 0)
    expect(existsSync(join(directory, '.assay'))).toBe(true)
  })
})
