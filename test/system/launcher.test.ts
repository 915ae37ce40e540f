import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { usageSchema } from '@assay/model'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Bench, kinds, markedNap, openBench, processesWith } from '../support/launching.ts'

const mebibyte = 1024 * 1024

describe.each(kinds)('a %s launcher', (kind) => {
  let bench: Bench
  beforeAll(async () => {
    bench = await openBench(kind)
  })
  afterAll(() => bench.close())

  it('reports exit codes, and calls those expected good', async () => {
    const exit = (code: number, expectedExitCodes: readonly number[]) =>
      bench.run(['sh', '-c', `exit ${code}`], { expectedExitCodes })
    expect(await exit(0, [0])).toMatchObject({ outcome: 'good', exitCode: 0, signal: null })
    expect(await exit(1, [0, 1])).toMatchObject({ outcome: 'good', exitCode: 1, explanation: '' })
    expect(await exit(255, [0])).toMatchObject({
      outcome: 'failed',
      exitCode: 255,
      explanation: 'sh exited with 255; expected 0',
    })
    expect(await exit(0, [1])).toMatchObject({ outcome: 'failed', exitCode: 0 })
  })

  it.each(['SEGV', 'TERM', 'PIPE'])('reports a child ended by SIG%s', async (name) => {
    expect(await bench.run(['sh', '-c', `kill -${name} $$`])).toMatchObject({
      outcome: 'killed',
      exitCode: null,
      signal: `SIG${name}`,
    })
  })

  it('names the program that cannot be started, and goes on', async () => {
    const missing = await bench.run(['no-such-program'])
    expect(missing).toMatchObject({ outcome: 'failed', exitCode: null, signal: null })
    expect(missing.explanation).toMatch(/no-such-program.*exec.*no such file/i)
    const folder = await bench.run(['/tmp'])
    expect(folder.explanation).toMatch(/\/tmp.*exec.*permission denied/i)
    const lost = await bench.run(['true'], { workingDirectory: '/no/such/folder' })
    expect(lost.explanation).toMatch(/\/no\/such\/folder.*working directory.*no such file/i)
    expect((await bench.run(['true'])).outcome).toBe('good')
  })

  it('names the file that cannot be opened', async () => {
    const result = await bench.run(['true'], { stdout: '/no/such/folder/stdout' })
    expect(result.explanation).toMatch(/stdout.*no such file/i)
  })

  it('looks programs up in the PATH of the child alone', async () => {
    const result = await bench.run(['true'], { environment: { PATH: bench.folder } })
    expect(result.explanation).toMatch(/cannot start true/)
  })

  it('gives a child exactly the arguments and environment asked for', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((it) => !it.includes('\0'))
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/)
    const environments = fc.dictionary(name, text, { maxKeys: 5, noNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(fc.array(text), environments, async (words, environment) => {
        await bench.run(['/usr/bin/env', '-0'], { environment })
        const entries = Object.entries(environment).map(([key, value]) => `${key}=${value}\0`)
        expect(bench.stdout()).toBe(entries.join(''))
        await bench.run(['/usr/bin/printf', '%s\\0', 'first', ...words], { environment })
        expect(bench.stdout()).toBe(['first', ...words].map((word) => `${word}\0`).join(''))
      }),
      { numRuns: 20 },
    )
  })

  it('refuses an argument with a NUL, which no program can be given, and goes on', async () => {
    await expect(bench.run(['echo', 'a\0b'])).rejects.toMatchObject({ code: 'launcher-refused' })
    expect((await bench.run(['true'])).outcome).toBe('good')
  })

  it('writes the output to the files asked for, anew each time', async () => {
    await bench.run(['sh', '-c', 'echo long output; echo errors >&2'])
    expect([bench.stdout(), bench.stderr()]).toEqual(['long output\n', 'errors\n'])
    await bench.run(['echo', 'x'])
    expect([bench.stdout(), bench.stderr()]).toEqual(['x\n', ''])
  })

  it('lets both outputs share one file in the order written', async () => {
    const both = join(bench.folder, 'both')
    await bench.run(['sh', '-c', 'echo 1; echo 2 >&2; echo 3'], { stdout: both, stderr: both })
    expect(readFileSync(both, 'utf8')).toBe('1\n2\n3\n')
  })

  it('gives a child an empty input, or the file asked for', async () => {
    await bench.run(['cat'])
    expect(bench.stdout()).toBe('')
    const stdin = join(bench.folder, 'stdin')
    writeFileSync(stdin, 'input')
    await bench.run(['cat'], { stdin })
    expect(bench.stdout()).toBe('input')
  })

  it('starts children in the folder asked for', async () => {
    await bench.run(['pwd', '-P'], { workingDirectory: '/usr/bin' })
    expect(bench.stdout()).toBe('/usr/bin\n')
  })

  it('starts children with default signals, no open files and a session of their own', async () => {
    await bench.run(['cat', '/proc/self/status', '/proc/self/stat'])
    const status = bench.stdout()
    expect(status).toMatch(/^SigBlk:\s*0+$/m)
    const [, ignored = 'none'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status) ?? []
    // Signals 32 and 33 belong to the C library, whose posix_spawn ignores them in the child.
    expect(BigInt(`0x${ignored}`) & ~0x180000000n).toBe(0n)
    const [, pid, session] = /^(\d+) \(cat\) R \d+ \d+ (\d+)/m.exec(status) ?? []
    expect(session).toBe(pid)
    await bench.run(['ls', '/proc/self/fd'])
    expect(bench.stdout()).toBe('0\n1\n2\n3\n') // 3 is the folder that ls reads
  })

  it('limits a child, but not the next one, to the processors asked for', async () => {
    const allowed = async (changes: { readonly cpus?: string }) => {
      await bench.run(['grep', 'Cpus_allowed_list', '/proc/self/status'], changes)
      return bench.stdout().split('\t')[1]
    }
    const all = await allowed({})
    expect(await allowed({ cpus: '0' })).toBe('0\n')
    expect(await allowed({})).toBe(all)
  })

  it('accounts times and counts that are sane', async () => {
    const busy = await bench.run(['sh', '-c', 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'])
    const usage = usageSchema.parse(busy.usage)
    expect(usage.userSeconds).toBeGreaterThan(0)
    expect(usage.minorFaults).toBeGreaterThan(0)
    // A shell has one thread: it cannot have been busy for longer than it ran. The kernel's
    // accounting may be off by a scheduler tick.
    expect(usage.userSeconds + usage.systemSeconds).toBeLessThan(usage.wallSeconds + 0.02)
    const idle = await bench.run(['sleep', '0.2'])
    expect(idle.usage.wallSeconds).toBeGreaterThanOrEqual(0.2)
    expect(idle.usage.userSeconds + idle.usage.systemSeconds).toBeLessThan(0.2)
    expect(idle.usage.voluntarySwitches).toBeGreaterThan(0)
  })

  it('kills the whole tree at the time limit, grandchildren in other sessions included', async () => {
    const nap = markedNap()
    const script = `setsid sleep ${nap} & (setsid sh -c "sleep ${nap} & sleep ${nap}" &) ; sleep ${nap}`
    const result = await bench.run(['sh', '-c', script], { timeoutSeconds: 0.5 })
    expect(processesWith(nap)).toEqual([])
    expect(result).toMatchObject({ outcome: 'timed-out', exitCode: null, signal: 'SIGKILL' })
    expect(result.usage.wallSeconds).toBeGreaterThanOrEqual(0.5)
    expect(result.stragglers).toBeGreaterThanOrEqual(3)
    expect(result.explanation).toMatch(/time limit/)
  })

  it('kills what outlives a good child, and counts it', async () => {
    const nap = markedNap()
    const result = await bench.run(['sh', '-c', `(setsid sleep ${nap} &) ; exit 0`])
    expect(processesWith(nap)).toEqual([])
    expect(result).toMatchObject({ outcome: 'good', stragglers: 1 })
    expect((await bench.run(['true'])).stragglers).toBe(0)
  })

  it('kills the child that is cancelled, and no other', async () => {
    const nap = markedNap()
    bench.launcher.cancel() // nothing runs
    const running = bench.run(['sleep', nap])
    await vi.waitFor(() => expect(processesWith(nap)).toHaveLength(1), 10_000)
    bench.launcher.cancel()
    expect(await running).toMatchObject({ outcome: 'killed', signal: 'SIGKILL' })
    expect(processesWith(nap)).toEqual([])
    expect((await bench.run(['true'])).outcome).toBe('good')
  })

  it('measures one child at a time', async () => {
    const first = bench.run(['sleep', '0.1'])
    await expect(bench.run(['true'])).rejects.toMatchObject({ code: 'launcher-busy' })
    expect((await first).outcome).toBe('good')
  })

  it('sleeps while a child runs', async () => {
    const switches = () =>
      /^voluntary_ctxt_switches:\s*(\d+)/m.exec(
        readFileSync(`/proc/${bench.launcher.pid}/status`, 'utf8'),
      )?.[1]
    const running = bench.run(['sleep', '1'])
    await sleep(300)
    const before = switches()
    await sleep(400)
    expect(switches()).toBe(before)
    await running
  })
})

describe('peak memory', () => {
  it('of a small child is its own, however large the parent of the launcher is', async () => {
    const small = await openBench('native')
    const before = await small.run(['true'])
    const large = Buffer.alloc(500 * mebibyte, 1)
    const inside = await openBench('native')
    const after = await inside.run(['true'])
    const [usual = 0, now = 0] = [before.usage.peakRssBytes ?? -1, after.usage.peakRssBytes ?? -1]
    expect(process.memoryUsage.rss()).toBeGreaterThan(large.length)
    expect(usual).toBeGreaterThan(0)
    expect(usual).toBeLessThan(16 * mebibyte)
    expect(Math.abs(now - usual)).toBeLessThan(mebibyte)
    await Promise.all([small.close(), inside.close()])
  })

  it('follows what a child uses to the mebibyte', async () => {
    const bench = await openBench('native')
    const peakOf = async (blockMebibytes: number): Promise<number> => {
      const words = ['if=/dev/zero', 'of=/dev/null', `bs=${blockMebibytes}M`, 'count=1'] as const
      return (await bench.run(['dd', ...words])).usage.peakRssBytes ?? 0
    }
    const difference = (await peakOf(65)) - (await peakOf(1))
    expect(Math.abs(difference - 64 * mebibyte)).toBeLessThan(mebibyte)
    await bench.close()
  })

  it('is unknown to the koffi launcher, which says so instead of telling its own', async () => {
    const bench = await openBench('koffi')
    expect((await bench.run(['true'])).usage.peakRssBytes).toBeNull()
    await bench.close()
  })
})
