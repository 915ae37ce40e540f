/**
 * The compiled server with an embedded worker, as a person starts it: it measures a tiny campaign on
 * the embedded engine, survives its worker, and ends without leaving anything behind.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  listSamplesResponseSchema,
  type RunProgress,
  reportSchema,
  runProgressSchema,
  startRunResponseSchema,
} from '@assay/model'
import { openStore } from '@assay/store'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { processesWith } from '../support/launching.ts'
import {
  appProgram,
  askServer,
  assay,
  assayProgram,
  type StartedServer,
  startProgram,
  startServer,
} from '../support/programs.ts'

/** One block of two cells; each sample is a fresh process of the engine. */
const campaignOf = (rounds: number): string => `
compare: { mode: { before: no-mmap, after: mmap-populate } }
datasets: { tiny: { generate: mercurial-like, scale: 0.002 } }
benchmarks: [{ name: hg.command.log, with: { patch: no, limit-rev: 1 } }]
sampling: { rounds: ${rounds}, warmups: 1 }
`

let directory = ''
let db = ''
let server: StartedServer | null = null
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-served-'))
  db = join(directory, 'assay.db')
  mkdirSync(join(directory, 'campaigns'))
  writeFileSync(join(directory, 'campaigns', 'tiny.yaml'), campaignOf(3))
  writeFileSync(join(directory, 'campaigns', 'endless.yaml'), campaignOf(500))
})
afterEach(async () => {
  await server?.stop('SIGKILL')
  server = null
  // A worker that lost its server ends by itself; nothing of it may write below any more.
  await vi.waitFor(() => expect(processesWith(directory)).toEqual([]), { timeout: 20_000 })
  rmSync(directory, { recursive: true })
})

const serve = async (worker: boolean): Promise<StartedServer> => {
  server = await startServer(directory, { campaigns: join(directory, 'campaigns'), worker })
  return server
}

const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  askServer(server, path, { headers })

const post = (path: string, body: object): Promise<Response> => askServer(server, path, { body })

const start = async (campaign: string): Promise<string> =>
  startRunResponseSchema.parse(await (await post('/runs', { campaign })).json()).id

const look = async (id: string): Promise<RunProgress> =>
  runProgressSchema.parse(await (await ask(`/runs/${id}`)).json())

/** Looks until the run is as wanted; gives every status that was seen on the way. */
const follow = async (
  id: string,
  wanted: (run: RunProgress) => boolean,
): Promise<readonly string[]> => {
  const seen: string[] = []
  for (;;) {
    const run = await look(id)
    if (seen.at(-1) !== run.status) seen.push(run.status)
    if (wanted(run)) return seen
    await sleep(20)
  }
}

const isComplete = ({ status }: RunProgress): boolean => status === 'complete'
const hasSamples =
  (count: number) =>
  ({ samples }: RunProgress): boolean =>
    samples >= count

/** The worker of this test's server, which alone has both in its command line. */
const workers = (): readonly number[] =>
  processesWith(`${appProgram('worker')}\0--server`).filter((pid) =>
    processesWith(`${server?.url}\0`).includes(pid),
  )

describe('a server with an embedded worker', () => {
  it('measures a campaign and reports it as the command line does', async () => {
    await serve(true)
    const id = await start('tiny')
    const seen = await follow(id, isComplete)
    expect(['planned', 'running', 'complete'].filter((one) => seen.includes(one))).toEqual(seen)
    const text = await (await ask(`/runs/${id}/report`)).text()
    const accept = 'application/json'
    const json: unknown = await (await ask(`/runs/${id}/report`, { accept })).json()
    const report = reportSchema.parse(json)
    expect(report.blocks[0]?.rows.map(({ summary }) => summary?.count)).toEqual([3, 3])
    await server?.stop('SIGTERM')
    const printed = await assay(directory, 'report', id, '--db', db, '--format', 'full')
    expect(text).toBe(printed.stdout)
    expect(text).toMatch(/^after: 0\.\d{6}/m)
    const again = await assay(directory, 'report', id, '--db', db, '--json')
    expect(JSON.parse(again.stdout)).toEqual(json)
  })

  it('gives up a cancelled run within seconds and measures the next', async () => {
    await serve(true)
    const endless = await start('endless')
    await follow(endless, hasSamples(4))
    expect((await post(`/runs/${endless}/cancel`, {})).status).toBe(200)
    const next = await start('tiny')
    const beganAt = performance.now()
    await follow(next, isComplete)
    // Far below what is left of the cancelled run.
    expect(performance.now() - beganAt).toBeLessThan(20_000)
    expect(await look(endless)).toMatchObject({ status: 'cancelled' })
  })

  it('ends cleanly when told to, its block given back and nothing left running', async () => {
    const { pid } = await serve(true)
    const id = await start('endless')
    await follow(id, hasSamples(4))
    process.kill(pid, 'SIGTERM')
    const end = await server?.ended
    expect({ exitCode: end?.exitCode, left: processesWith(directory) }).toEqual({
      ...{ exitCode: 0, left: [] },
    })
    const store = openStore({ path: db, access: 'read', now: Date.now })
    const blocks = store.blocks.listOf(id).map(({ status }) => status)
    store.close()
    expect(blocks).toEqual(['queued'])
  })

  it('starts its worker anew when that is killed, and the run goes on where it was', async () => {
    await serve(true)
    const id = await start('endless')
    await follow(id, hasSamples(4))
    const [first = 0] = workers()
    const { samples } = await look(id)
    process.kill(first, 'SIGKILL')
    const beganAt = performance.now()
    await follow(id, hasSamples(samples + 6))
    // Well below the lease of the dead worker's take.
    expect(performance.now() - beganAt).toBeLessThan(30_000)
    expect(workers()).not.toContain(first)
    const page = listSamplesResponseSchema.parse(
      await (await ask(`/runs/${id}/samples?limit=1000`)).json(),
    )
    expect(new Set(page.samples.map(({ take }) => take))).toEqual(new Set([1]))
    const places = page.samples.map(
      ({ cellId, warmup, round }) => `${cellId} ${warmup ? 'warmup' : 'round'} ${round}`,
    )
    expect(new Set(places).size).toBe(places.length)
  })
})

describe('a server that is told to end', () => {
  it('answers a worker that waits, and leaves it to look for the next server', async () => {
    const { pid, url } = await serve(false)
    const argv = ['--server', url, '--datasets', join(directory, 'datasets')]
    argv.push('--token-file', join(directory, 'first-token'))
    const worker = startProgram(directory, appProgram('worker'), ...argv)
    await new Promise<void>((resolve) => worker.stderr?.once('data', () => resolve()))
    await sleep(300)
    process.kill(pid, 'SIGTERM')
    expect((await server?.ended)?.exitCode).toBe(0)
    await sleep(300)
    expect(worker.exitCode).toBeNull()
    worker.kill('SIGTERM')
    expect((await worker).exitCode).toBe(0)
  })

  it('does not wait for a client that stalls in the middle of a request', async () => {
    const { pid, url, token } = await serve(false)
    const { port } = new URL(url)
    const client = connect(Number(port), '127.0.0.1')
    client.on('error', () => undefined)
    const head = `POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\nAuthorization: Bearer ${token}\r\n`
    client.write(`${head}Content-Type: application/json\r\n\r\n{"yaml": "`)
    await sleep(200)
    process.kill(pid, 'SIGTERM')
    expect((await server?.ended)?.exitCode).toBe(0)
    client.destroy()
  })
})

describe('a store that is served', () => {
  it('has one writer: others are told who has it', async () => {
    const { pid } = await serve(false)
    writeFileSync(join(directory, 'campaign.yaml'), campaignOf(3))
    const [cli, end] = await Promise.all([
      assay(directory, 'run', 'campaign.yaml', '--db', db),
      startProgram(directory, appProgram('api'), '--port', '0', '--db', db),
    ])
    for (const { exitCode, stderr } of [cli, { ...end, stderr: String(end.stderr) }]) {
      expect(exitCode).toBe(2)
      expect(stderr).toContain('[store-busy]')
      expect(stderr).toContain(`process ${pid}:`)
    }
  })

  it('can be read by the command line meanwhile', async () => {
    await serve(false)
    const id = await start('tiny')
    expect((await assay(directory, 'runs', '--db', db)).stdout).toContain(id)
  })
})

describe('the server program', () => {
  it('says what is wrong with its command line', async () => {
    const [end, worker] = await Promise.all([
      startProgram(directory, appProgram('api'), '--port', 'many', '--db', db),
      startProgram(directory, appProgram('worker'), '--server', 'nowhere'),
    ])
    expect(end.exitCode).toBe(2)
    expect(String(end.stderr)).toContain('--port')
    expect(worker.exitCode).toBe(2)
    expect(String(worker.stderr)).toContain('--server')
  })

  it('says that its port is taken', async () => {
    const { url } = await serve(false)
    const { port } = new URL(url)
    const other = join(directory, 'other.db')
    const end = await startProgram(directory, appProgram('api'), '--port', port, '--db', other)
    expect(end.exitCode).toBe(2)
    expect(String(end.stderr)).toContain('[port-busy]')
  })

  it('ends with the command line that started it, however that ends', async () => {
    const endBy = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
      // In the command lines of the server and of its worker, which prepares datasets there.
      const folder = join(directory, signal)
      mkdirSync(folder)
      const argv = ['serve', '--port', '0', '--db', join(folder, 'assay.db'), '--embedded-worker']
      const child = startProgram(directory, assayProgram, ...argv)
      let printed = ''
      await new Promise<void>((resolve) => {
        child.stdout?.on('data', (chunk: Buffer) => {
          printed += chunk.toString()
          if (printed.includes('served at')) resolve()
        })
      })
      child.kill(signal)
      const end = await child
      if (signal === 'SIGTERM') expect(end.exitCode).toBe(0)
      await vi.waitFor(() => expect(processesWith(folder)).toEqual([]), { timeout: 20_000 })
    }
    await Promise.all([endBy('SIGTERM'), endBy('SIGKILL')])
  })
})
