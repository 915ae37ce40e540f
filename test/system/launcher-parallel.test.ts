import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bootSeconds } from '@assay/measure'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Bench, kinds, markedNap, openBench, processesWith } from '../support/launching.ts'

describe.each(kinds)('a %s launcher of several children', (kind) => {
  let bench: Bench
  beforeAll(async () => {
    bench = await openBench(kind)
  })
  afterAll(() => bench.close())

  const outputs = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      readFileSync(join(bench.folder, at === 0 ? 'stdout' : `stdout.${at + 1}`), 'utf8'),
    )

  it('has them run at the same time', async () => {
    const script = 'date +%s%N; sleep 0.4; date +%s%N'
    const result = await bench.run(['sh', '-c', script], { parallel: 4 })
    const spans = outputs(4).map((text) => text.trim().split('\n').map(Number))
    const starts = spans.map(([start = Number.NaN]) => start)
    const ends = spans.map(([, end = Number.NaN]) => end)
    expect(Math.max(...starts)).toBeLessThan(Math.min(...ends))
    expect(result.outcome).toBe('good')
    expect(result.usage.wallSeconds).toBeGreaterThanOrEqual(0.4)
    expect(result.usage.wallSeconds).toBeLessThan(4 * 0.4)
  })

  it('adds up what they use', async () => {
    const script = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
    const one = await bench.run(['sh', '-c', script])
    const four = await bench.run(['sh', '-c', script], { parallel: 4 })
    const cpu = (it: typeof one) => it.usage.userSeconds + it.usage.systemSeconds
    expect(cpu(four)).toBeGreaterThan(2 * cpu(one))
    expect(four.usage.minorFaults).toBeGreaterThan(2 * one.usage.minorFaults)
  })

  it('gives each files of its own, and none more where the output is discarded', async () => {
    const input = join(bench.folder, 'stdout')
    await bench.run(['echo', 'text'])
    await bench.run(['cat'], { stdin: input, stdout: join(bench.folder, 'copy'), parallel: 3 })
    const copies = ['copy', 'copy.2', 'copy.3'].map((name) => join(bench.folder, name))
    expect(copies.map((path) => readFileSync(path, 'utf8'))).toEqual(Array(3).fill('text\n'))
    await bench.run(['echo', 'x'], { stdout: '/dev/null', parallel: 2 })
    expect(existsSync('/dev/null.2')).toBe(false)
  })

  it('fails when one of them fails', async () => {
    const script = 'mkdir failing 2>/dev/null && exit 3; sleep 0.2; exit 0'
    const result = await bench.run(['sh', '-c', script], { parallel: 3 })
    expect(result).toMatchObject({ outcome: 'failed', exitCode: 3 })
    expect(result.explanation).toMatch(/^sh \(\d of 3\) exited with 3; expected 0$/)
    expect(result.usage.wallSeconds).toBeGreaterThanOrEqual(0.2) // the others went on
    const strict = await bench.run(['sh', '-c', 'mkdir other 2>/dev/null && exit 0; exit 1'], {
      ...{ parallel: 2, expectedExitCodes: [1] },
    })
    expect(strict).toMatchObject({ outcome: 'failed', exitCode: 0 })
  })

  it('tells that a signal ended one of them', async () => {
    const script = 'mkdir ended 2>/dev/null && kill -TERM $$; exit 0'
    const result = await bench.run(['sh', '-c', script], { parallel: 3 })
    expect(result).toMatchObject({ outcome: 'killed', exitCode: null, signal: 'SIGTERM' })
  })

  it('kills all at the time limit and on cancel', async () => {
    const nap = markedNap()
    const late = await bench.run(['sleep', nap], { parallel: 3, timeoutSeconds: 0.3 })
    expect(late).toMatchObject({ outcome: 'timed-out', signal: 'SIGKILL' })
    expect(processesWith(nap)).toEqual([])
    const running = bench.run(['sleep', nap], { parallel: 3 })
    await vi.waitFor(() => expect(processesWith(`sleep\0${nap}`)).toHaveLength(3), 10_000)
    bench.launcher.cancel()
    expect((await running).outcome).toBe('killed')
    expect(processesWith(nap)).toEqual([])
  })

  it('that is killed leaves none of them', async () => {
    const doomed = await openBench(kind)
    const nap = markedNap()
    const running = expect(doomed.run(['sleep', nap], { parallel: 3 })).rejects.toMatchObject({
      code: 'launcher-died',
    })
    await vi.waitFor(() => expect(processesWith(`sleep\0${nap}`)).toHaveLength(3), 10_000)
    process.kill(doomed.launcher.pid, 'SIGKILL')
    await running
    await vi.waitFor(() => expect(processesWith(nap)).toEqual([]), 10_000)
    await doomed.close()
  })

  it('names the program that cannot be started, and goes on', async () => {
    const missing = await bench.run(['no-such-program'], { parallel: 3 })
    expect(missing.explanation).toMatch(/no-such-program.*exec.*no such file/i)
    const folder = await bench.run(['/tmp'], { parallel: 3 })
    expect(folder.explanation).toMatch(/\/tmp.*exec.*permission denied/i)
    expect(folder).toMatchObject({ outcome: 'failed', startedAtSeconds: null })
    expect((await bench.run(['true'], { parallel: 3 })).outcome).toBe('good')
  })

  it.each([0, 129, 1.5])('refuses to start %d', async (parallel) => {
    await expect(bench.run(['true'], { parallel })).rejects.toMatchObject({
      code: 'launcher-refused',
    })
  })
})

describe.each(kinds)('the samples of a %s launcher', (kind) => {
  it('say when they were taken, so that no two can have overlapped unseen', async () => {
    const bench = await openBench(kind)
    const before = bootSeconds()
    const results = [
      await bench.run(['sleep', '0.05']),
      await bench.run(['true'], { parallel: 2 }),
      await bench.run(['sleep', '0.05'], { memory: true }),
    ]
    const after = bootSeconds()
    const instants = results.flatMap((it) => [it.startedAtSeconds ?? -1, it.endedAtSeconds ?? -1])
    expect(instants).toEqual(instants.toSorted((left, right) => left - right))
    // The kernel tells its own clock to a hundredth.
    expect(instants[0]).toBeGreaterThanOrEqual(before - 0.01)
    expect(instants.at(-1)).toBeLessThanOrEqual(after + 0.01)
    for (const { startedAtSeconds, endedAtSeconds, usage } of results)
      expect((endedAtSeconds ?? 0) - (startedAtSeconds ?? 0)).toBeCloseTo(usage.wallSeconds, 3)
    await bench.close()
  })

  it.each([
    ['plain', (nap: string) => `sleep ${nap} & sleep ${nap}`],
    ['in a session of their own', (nap: string) => `setsid sleep ${nap} & sleep ${nap}`],
    [
      'daemons, forked twice',
      (nap: string) => `(setsid sh -c "(sleep ${nap} &) ; exit" &) ; sleep ${nap}`,
    ],
  ])('begin when grandchildren of a timed-out one, %s, are gone', async (_, script) => {
    const bench = await openBench(kind)
    const nap = markedNap()
    const late = await bench.run(['sh', '-c', script(nap)], { timeoutSeconds: 0.4 })
    const answered = bootSeconds()
    expect(late.outcome).toBe('timed-out')
    expect(late.stragglers).toBeGreaterThan(0)
    // The product's own promise: two seconds after the time limit at the latest.
    expect(answered - (late.startedAtSeconds ?? 0)).toBeLessThan(0.4 + 2)
    // The next sample looks for itself; the pattern does not match its own command line.
    const lookup = `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -c "[s]leep $NAP"`
    await bench.run(['sh', '-c', lookup], {
      ...{ environment: { PATH: '/usr/bin:/bin', NAP: nap }, expectedExitCodes: [1] },
    })
    expect(bench.stdout()).toBe('0\n')
    await bench.close()
  })
})
