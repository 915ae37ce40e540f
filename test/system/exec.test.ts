/**
 * Real children and real hooks: their order, what happens when one fails, when an output is wrong,
 * when a run is stopped or killed, and that no two things ever run at once.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { printRun } from '@assay/orchestrator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { markedNap, processesWith } from '../support/launching.ts'
import { assay, assayProgram, startProgram } from '../support/programs.ts'
import { openRealChildren, type RealChildren } from '../support/real-children.ts'

const open = (): RealChildren => {
  const real = openRealChildren()
  onTestFinished(() => real.close())
  return real
}
const place = (name: string): string => `$${`{${name}}`}`

/** A shell line as an argv of YAML. */
const sh = (line: string): string => JSON.stringify(['sh', '-c', line])

/** Two commands, `a` and `b`, three rounds after one warmup. */
const campaign = (rest: string, lines = { a: 'true', b: 'true' }): string => `
compare: { command: { a: ${sh(lines.a)}, b: ${sh(lines.b)} } }
benchmarks: [{ name: exec, ${rest} }]
sampling: { rounds: 3, warmups: 1 }
`

const states = (real: RealChildren, id: string) =>
  real.store.cells.ofRun(id).map(({ status, reason }) => ({ status, reason }))

describe('hooks', () => {
  const log = (word: string): string => sh(`echo ${word} $ASSAY_CELL $ASSAY_ROUND >> log`)
  const hooks = `hooks: { setup: ${log('setup')}, prepare: ${log('prepare')}, conclude: ${log('conclude')}, cleanup: ${log('cleanup')} }`
  const child = 'echo child >> log'

  it('run in their order: setup, then prepare and conclude around each child, then cleanup', async () => {
    const real = open()
    const id = await real.measure(campaign(hooks, { a: child, b: child }))
    expect(states(real, id).map(({ status }) => status)).toEqual(['measured', 'measured'])
    const lines = real.lines('log')
    expect(lines.slice(0, 2)).toEqual(['setup b1.c1', 'setup b1.c2'])
    expect(lines.slice(-2)).toEqual(['cleanup b1.c1', 'cleanup b1.c2'])
    const inner = lines.slice(2, -2)
    const triples = Array.from({ length: 8 }, (_, at) => inner.slice(at * 3, at * 3 + 3))
    const places = ['warmup-1', '1', '2', '3'].flatMap((round) => [round, round])
    for (const [at, [first, second, third]] of triples.entries()) {
      const [, cell] = first?.split(' ') ?? []
      expect(first).toBe(`prepare ${cell} ${places[at]}`)
      expect(second).toBe('child')
      expect(third).toBe(`conclude ${cell} ${places[at]}`)
    }
    expect(inner).toHaveLength(24)
  })

  it('have the environment of the child and no more, and their places filled', async () => {
    const real = open()
    const rest = `with: { size: 7 }, hooks: { setup: [sh, -c, "env > env; echo $0 > size", "${place('size')}"] }`
    await real.measure(campaign(rest))
    expect(real.lines('size')).toEqual(['7'])
    const names = real.lines('env').map((line) => line.split('=')[0])
    expect(
      names.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name ?? '')).sort(),
    ).toEqual([
      'ASSAY_CELL',
      'ASSAY_PADDING',
      'HGPLAIN',
      'HGRCPATH',
      'HOME',
      'LC_ALL',
      'PATH',
      'TZ',
    ])
  })

  it('that set up in vain fail their cell alone, with what they said, and are cleaned up', async () => {
    const real = open()
    const setup = sh('echo no disk >&2; test $ASSAY_CELL != b1.c2 || exit 3')
    const cleanup = sh('echo $ASSAY_CELL >> cleaned')
    const id = await real.measure(campaign(`hooks: { setup: ${setup}, cleanup: ${cleanup} }`))
    expect(states(real, id)).toEqual([
      { status: 'measured', reason: null },
      { status: 'failed', reason: 'the hook setup exited with 3: no disk' },
    ])
    expect([...real.lines('cleaned')].sort()).toEqual(['b1.c1', 'b1.c2'])
  })

  it('that fail before or after a child fail the sample, with what they said', async () => {
    const real = open()
    const prepare = sh('test $ASSAY_ROUND != 2 || { echo not ready >&2; exit 1; }')
    const conclude = sh('test $ASSAY_ROUND != 3 || kill -9 $$')
    const id = await real.measure(campaign(`hooks: { prepare: ${prepare}, conclude: ${conclude} }`))
    const bad = real.samples(id).filter(({ outcome }) => outcome !== 'good')
    expect(bad.map(({ round, outcome, exitCode }) => [round, outcome, exitCode])).toEqual([
      [2, 'failed', null],
      [2, 'failed', null],
      [3, 'failed', 0],
      [3, 'failed', 0],
    ])
    expect(bad[0]?.stderr).toBe('not ready\n\nthe hook prepare exited with 1: not ready')
    expect(bad[0]?.usage.wallSeconds).toBe(0)
    expect(bad[2]?.stderr).toBe('the hook conclude was ended by SIGKILL')
    expect(bad[2]?.usage.wallSeconds).toBeGreaterThan(0)
    const both = campaign(`hooks: { conclude: ${conclude} }`, {
      a: 'true',
      b: 'echo b >&2; exit 4',
    })
    const again = real.samples(await real.measure(both))
    const failed = again.filter(({ round, exitCode }) => round === 3 || exitCode === 4)
    // The child's own words come last.
    expect(failed.at(-1)?.stderr).toBe('b\n')
  })

  it('that cannot be started say so', async () => {
    const real = open()
    const id = await real.measure(campaign('hooks: { setup: [no-such-program] }'))
    expect(states(real, id)[0]?.reason).toMatch(/^the hook setup could not be started: .*ENOENT/)
  })

  it('that hang are ended at the time limit, with all they started', async () => {
    const real = open()
    const nap = markedNap()
    const yaml = campaign(`hooks: { setup: ${sh(`sleep ${nap} & sleep ${nap}`)} }`)
    const id = await real.measure(yaml.replace('rounds: 3', 'timeout: 0.3s, rounds: 3'))
    expect(states(real, id)[0]?.reason).toBe('the hook setup took longer than 0.3 s and was killed')
    expect(processesWith(nap)).toEqual([])
  })

  it('before and after a sample leave nothing running beside it; setup may, until its cell is closed', async () => {
    const real = open()
    const [served, left] = [markedNap(), markedNap()]
    // A session of its own, of which no group of processes knows.
    const setup = sh(`setsid sleep ${served} & setsid sleep ${served} & true`)
    const prepare = sh(`setsid sleep ${left} & sleep 0.02`)
    const hooks = `hooks: { setup: ${setup}, prepare: ${prepare} }`
    // The brackets keep the search from finding the shell that holds it.
    const isServed = `pgrep -f "[s]leep ${served}" > /dev/null`
    const isLeft = `pgrep -f "[s]leep ${left}" > /dev/null`
    const id = await real.measure(campaign(hooks, { a: isServed, b: `! ${isLeft}` }))
    expect(states(real, id)).toEqual([
      { status: 'measured', reason: null },
      { status: 'measured', reason: null },
    ])
    expect(processesWith(`sleep ${served}`)).toEqual([])
    expect(processesWith(`sleep ${left}`)).toEqual([])
  })

  it('that clean up in vain are told, in the report too, and change no sample', async () => {
    const real = open()
    const id = await real.measure(campaign('hooks: { cleanup: [rm, no-such-file] }'))
    expect(states(real, id).map(({ status }) => status)).toEqual(['measured', 'measured'])
    const told = real.events.filter(({ type }) => type === 'cleanup-failed')
    expect(told).toHaveLength(2)
    expect(told[0]).toMatchObject({
      cellId: 'b1.c1',
      reason: expect.stringMatching(/^the hook cleanup exited with 1: rm: .*no-such-file/),
    })
    const said = /after a \(b1\.c1\), b \(b1\.c2\) failed: the hook cleanup exited with 1: rm: /
    const { store } = real
    for (const format of ['full', 'compact', 'json', 'html']) {
      expect(printRun(id, store, { format }).text).toMatch(said)
    }
    // Where a file's name cannot be taken for a mark.
    expect(printRun(id, store, { format: 'markdown' }).text).toMatch(
      /cleanup.*failed: the hook cleanup exited with 1: rm/,
    )
    const [head, first] = printRun(id, store, { format: 'csv' }).text.split('\r\n')
    expect(head).toMatch(/,cleanupFault,stderr$/)
    expect(first).toMatch(/the hook cleanup exited with 1: rm: /)
  })

  it('clean up a cell that failed, and one that was stopped', async () => {
    const real = open()
    const cleanup = sh('echo $ASSAY_CELL >> cleaned')
    await real.measure(campaign(`hooks: { cleanup: ${cleanup} }`, { a: 'exit 1', b: 'true' }))
    expect([...real.lines('cleaned')].sort()).toEqual(['b1.c1', 'b1.c2'])
    const stop = new AbortController()
    const nap = markedNap()
    const setup = sh('echo $ASSAY_CELL >> set-up')
    const yaml = campaign(`hooks: { setup: ${setup}, cleanup: ${cleanup} }`, {
      ...{ a: `sleep ${nap}`, b: `sleep ${nap}` },
    })
    const measuring = real.measure(yaml, stop.signal)
    while (processesWith(nap).length === 0) await sleep(5)
    stop.abort()
    const id = await measuring
    expect(processesWith(nap)).toEqual([])
    expect([...real.lines('cleaned')].sort()).toEqual(['b1.c1', 'b1.c1', 'b1.c2', 'b1.c2'])
    expect(real.samples(id)).toEqual([])
    expect(real.lines('set-up')).toHaveLength(2)
  })

  it('of which one is stopped end at once', async () => {
    const real = open()
    const stop = new AbortController()
    const nap = markedNap()
    const measuring = real.measure(campaign(`hooks: { prepare: [sleep, "${nap}"] }`), stop.signal)
    while (processesWith(nap).length === 0) await sleep(5)
    stop.abort()
    await measuring
    expect(processesWith(nap)).toEqual([])
  })
})

describe('a run that is killed', () => {
  it('sets up again when it is resumed from another folder, and cleans up in the end', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'assay-exec-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const hooks = `hooks: { setup: ${sh('echo set up $ASSAY_CELL >> log')}, cleanup: ${sh('echo cleaned $ASSAY_CELL >> log')} }`
    const yaml = campaign(hooks, { a: 'sleep 0.02', b: 'sleep 0.02' })
    writeFileSync(join(directory, 'c.yaml'), yaml.replace('rounds: 3', 'rounds: 40'))
    const db = join(directory, 'assay.db')
    const child = startProgram(directory, assayProgram, 'run', 'c.yaml', '--db', db)
    const log = join(directory, 'log')
    while (!existsSync(log) || !readFileSync(log, 'utf8').includes('b1.c2')) await sleep(10)
    await sleep(200)
    child.kill('SIGKILL')
    await child
    const before = readFileSync(log, 'utf8')
    const resumed = await assay(tmpdir(), 'resume', '--db', db)
    expect(resumed.exitCode).toBe(0)
    const once = 'set up b1.c1\nset up b1.c2\n'
    expect(before).toBe(once)
    expect(readFileSync(log, 'utf8')).toBe(`${once}${once}cleaned b1.c1\ncleaned b1.c2\n`)
  })
})

describe('a baseline whose warmup failed', () => {
  it('is named by the rows that lose it, with how it ended, in every format', async () => {
    const real = open()
    const id = await real.measure(campaign('', { a: 'echo oops >&2; exit 7', b: 'true' }))
    const said =
      'b has nothing to be compared with: the baseline a (b1.c1) failed: the warmup exited with 7: oops.'
    for (const format of ['full', 'compact', 'markdown', 'json', 'html']) {
      expect(printRun(id, real.store, { format }).text).toContain(said)
    }
    // A table of samples shows the warmup itself.
    const lines = printRun(id, real.store, { format: 'csv' }).text.split(/\r?\n/)
    expect(lines.find((line) => /,a,baseline,.*,true,1,.,failed,7,/.test(line))).toMatch(/,"oops$/)
  })
})

describe('an exit code', () => {
  it('is good if it is expected, any if all are', async () => {
    const real = open()
    const one = await real.measure(campaign('exitCodes: [0, 3]', { a: 'exit 3', b: 'exit 4' }))
    expect(states(real, one)).toEqual([
      { status: 'measured', reason: null },
      { status: 'failed', reason: 'the warmup exited with 4; expected 0 or 3' },
    ])
    const any = await real.measure(campaign('exitCodes: any', { a: 'exit 3', b: 'exit 255' }))
    expect(states(real, any).map(({ status }) => status)).toEqual(['measured', 'measured'])
  })
})

describe('the output of a child', () => {
  const twice = 'if test -f seen$0; then echo wrong; else touch seen$0; echo right; fi'

  it('is checked in the warmup, and a wrong one fails the cell', async () => {
    const real = open()
    const id = await real.measure(
      campaign('output: { contains: right }', { a: 'echo all right', b: 'echo wrong' }),
    )
    expect(states(real, id)).toEqual([
      { status: 'measured', reason: null },
      {
        status: 'failed',
        reason: 'the warmup exited with 0: its output does not contain "right"',
      },
    ])
  })

  it('is checked in every sample only if asked', async () => {
    const real = open()
    const once = await real.measure(
      campaign('output: { contains: right }', { a: twice, b: 'echo right' }),
    )
    expect(states(real, once)[0]?.status).toBe('measured')
    rmSync(join(real.directory, 'seensh'))
    const every = await real.measure(
      campaign('output: { contains: right, every: true }', { a: twice, b: 'echo right' }),
    )
    expect(states(real, every)[0]).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('3 samples failed'),
    })
  })

  it('is found by its text across megabytes, or by its digest', async () => {
    const real = open()
    const long = 'head -c 65530 /dev/zero; printf needle; head -c 3000000 /dev/zero'
    const found = await real.measure(
      campaign('output: { contains: needle }', { a: long, b: long.replace('needle', 'needl') }),
    )
    expect(states(real, found).map(({ status }) => status)).toEqual(['measured', 'failed'])
    const digest = execFileSync('sh', ['-c', `{ ${long}; } | sha256sum`])
      .toString()
      .slice(0, 64)
    const same = await real.measure(
      campaign(`output: { sha256: ${digest} }`, { a: long, b: 'echo' }),
    )
    expect(states(real, same).map(({ status }) => status)).toEqual(['measured', 'failed'])
    expect(states(real, same)[1]?.reason).toMatch(/its output has the SHA-256 [0-9a-f]{64}, expe/)
  })
})

describe('inner repeats', () => {
  const loop = (seconds: string): string =>
    `["sh", "-c", "i=0; while test $i -lt $0; do sleep ${seconds}; i=$((i+1)); done", "${place('loops')}"]`
  const looped = (rest: string): string => `
compare: { command: { fast: ${loop('0.005')}, slow: ${loop('0.03')} } }
benchmarks: [{ name: exec${rest} }]
sampling: { rounds: 3, warmups: 1 }
`

  it('are doubled until a sample of the baseline takes a tenth of a second, and times are for one', async () => {
    const real = open()
    const id = await real.measure(looped(''))
    const samples = real.samples(id)
    const [shared = 0, ...others] = new Set(samples.map(({ loops }) => loops))
    expect(others).toEqual([])
    expect(Math.log2(shared) % 1).toBe(0)
    expect(shared).toBeGreaterThan(1)
    for (const { cellId, usage, loops } of samples) {
      const wanted = cellId === 'b1.c1' ? 0.005 : 0.03
      expect(usage.wallSeconds).toBeGreaterThanOrEqual(wanted)
      if (cellId === 'b1.c1') expect(usage.wallSeconds).toBeLessThan(0.3)
      if (cellId === 'b1.c1') expect(usage.wallSeconds * loops).toBeGreaterThan(0.05)
    }
  })

  it('are as many as a campaign says', async () => {
    const real = open()
    const id = await real.measure(looped(', loops: 2'))
    expect(new Set(real.samples(id).map(({ loops }) => loops))).toEqual(new Set([2]))
  })
})

describe('several children at once', () => {
  it('are one sample, from the first start to the last end, with what all of them wrote', async () => {
    const real = open()
    const meet = 'echo $$ >> met; while test $(wc -l < met) -lt 3; do sleep 0.01; done; echo x'
    const id = await real.measure(
      campaign('parallel: 3, output: { contains: x }, hooks: { prepare: [rm, -f, met] }', {
        a: meet,
        b: 'echo x',
      }),
    )
    expect(states(real, id).map(({ status }) => status)).toEqual(['measured', 'measured'])
    expect(real.samples(id)).toHaveLength(8)
  })

  it('fail together when one of them fails', async () => {
    const real = open()
    const third = 'mkdir one 2> /dev/null || mkdir two 2> /dev/null || exit 5'
    const rest = `parallel: 3, hooks: { prepare: ${sh('rm -rf one two')} }`
    const id = await real.measure(campaign(rest, { a: third, b: 'true' }))
    expect(states(real, id)[0]).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('exited with 5'),
    })
  })
})

describe('samples', () => {
  it('never overlap, and tell in the warmup how much memory was the child\u2019s own', async () => {
    const real = open()
    const busy = 'i=0; while test $i -lt 2000; do i=$((i+1)); done'
    const id = await real.measure(campaign('hooks: { prepare: ["true"] }', { a: busy, b: busy }))
    const spans = real
      .samples(id)
      .map(({ metrics }) => [metrics['startedAtSeconds'] ?? 0, metrics['endedAtSeconds'] ?? 0])
      .sort(([left = 0], [right = 0]) => left - right)
    expect(spans).toHaveLength(8)
    for (const [at, [started = 0, ended = 0]] of spans.entries()) {
      expect(ended).toBeGreaterThan(started)
      expect(started).toBeGreaterThanOrEqual(spans[at - 1]?.[1] ?? 0)
    }
    for (const { warmup, metrics } of real.samples(id)) {
      expect('exitAnonBytes' in metrics).toBe(warmup)
    }
  })
})
