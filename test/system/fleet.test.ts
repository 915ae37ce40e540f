/**
 * The README's section on several machines, typed as it stands there, with a worker killed and one
 * stopped for longer than its lease: the run ends complete, and its report is that of a run that
 * nobody disturbed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  listBlocksResponseSchema,
  listWorkersResponseSchema,
  runProgressSchema,
} from '@assay/model'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { processesWith } from '../support/launching.ts'
import { assay } from '../support/programs.ts'

const root = new URL('../..', import.meta.url).pathname

/** The section's blocks of commands, one after the other. */
const section = (): string => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, text = ''] = /### On several machines\n([\s\S]*?)\n### /.exec(readme) ?? []
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('\n')
}

/** Three blocks a pool, of 12 rounds that take half a second at least. */
const campaign = `
compare: { mode: { before: no-mmap, after: mmap-populate } }
engines: [{ fake: script.json }]
datasets: { tiny: { generate: mercurial-like, scale: 0.002 } }
benchmarks: [{ name: hg.command.log, with: { limit-rev: [1, 10, 100] } }]
pool: [x86, arm]
sampling: { rounds: 12, warmups: 1 }
`
const script = [
  { headings: {}, label: 'before', seconds: [0.1, 0.101, 0.099], pauseMillis: 25 },
  { headings: {}, label: 'after', seconds: [0.111, 0.11, 0.109, 0.112], pauseMillis: 25 },
]

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-fleet-'))
  mkdirSync(join(directory, 'campaigns'))
  writeFileSync(join(directory, 'campaigns', 'fleet.yaml'), campaign)
  writeFileSync(join(directory, 'script.json'), JSON.stringify(script))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** Types the section into a shell, in the folder; the programs that it leaves behind run on. */
const follow = async (port: number): Promise<void> => {
  const text = section()
    .replaceAll('7357', String(port))
    .replace('--host 0.0.0.0', '--host 0.0.0.0 --lease 2s')
  expect(text.match(/^assay worker/gm)).toHaveLength(3)
  const PATH = `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  // A file, not a pipe: the programs that are left behind would hold it open.
  const input = `exec >output.txt 2>&1\n${text}\n`
  await execa('sh', ['-e'], { input, cwd: directory, env: { PATH }, stdout: 'ignore' })
}

const ask = async (port: number, path: string, accept = 'application/json'): Promise<string> => {
  const token = readFileSync(join(directory, 'admin.token'), 'utf8').trim()
  const headers = { authorization: `Bearer ${token}`, accept }
  return (await fetch(`http://127.0.0.1:${port}/api/v1${path}`, { headers })).text()
}

/** Waits until that worker measures a block. */
const busy = (port: number, name: string): Promise<void> =>
  vi.waitFor(
    async () => {
      const { workers } = listWorkersResponseSchema.parse(JSON.parse(await ask(port, '/workers')))
      expect(workers.find((worker) => worker.name === name)?.block).toBeTruthy()
    },
    { timeout: 30_000, interval: 50 },
  )

/** The worker's programs: what was typed, and the one that it started. */
const programsOf = (name: string): readonly number[] => processesWith(`${name}.lock`)

it('a fleet of which one dies and one stands still completes a run as if nothing had been', async () => {
  const port = await freePort()
  try {
    await follow(port)
    await busy(port, 'x86-1')
    for (const pid of programsOf('x86-1')) process.kill(pid, 'SIGKILL')
    await busy(port, 'arm-1')
    const stopped = programsOf('arm-1')
    expect(stopped.length).toBeGreaterThan(0)
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    // Longer than the lease, and until the server has taken the block back.
    await vi.waitFor(
      async () => {
        const { blocks } = listBlocksResponseSchema.parse(
          JSON.parse(await ask(port, '/runs/latest/blocks')),
        )
        const givenBack = ({ status, take }: (typeof blocks)[number]): boolean =>
          status === 'queued' && take?.worker === 'arm-1'
        expect(blocks.some(givenBack)).toBe(true)
      },
      { timeout: 20_000, interval: 100 },
    )
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
    await vi.waitFor(
      async () => {
        const run = runProgressSchema.parse(JSON.parse(await ask(port, '/runs/latest')))
        expect(run.status).toBe('complete')
      },
      { timeout: 60_000, interval: 200 },
    )
    const output = readFileSync(join(directory, 'output.txt'), 'utf8')
    expect(output).toMatch(/"type":"block-given-up".*(lease|take)/)
    const undisturbed = await assay(directory, 'run', 'campaigns/fleet.yaml', '--db', 'other.db')
    expect(undisturbed.exitCode, undisturbed.stderr).toBe(0)
    const report = await ask(port, '/runs/latest/report', 'text/plain')
    // The undisturbed run was measured on one host: nothing else may differ.
    const hosts = /^; warning: several-hosts: .*\n/m
    expect(report).toMatch(hosts)
    expect(report.replace(hosts, '')).toBe(undisturbed.stdout)
    expect(undisturbed.stdout.match(/^after: /gm)).toHaveLength(6)
  } finally {
    for (const pid of processesWith(directory)) {
      try {
        process.kill(pid, 'SIGCONT')
        process.kill(pid, 'SIGTERM')
      } catch {
        // It ended meanwhile.
      }
    }
    await vi.waitFor(() => expect(processesWith(directory)).toEqual([]), { timeout: 20_000 })
  }
})
