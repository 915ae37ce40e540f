/**
 * How fast the fleet's middle is: fanning out, the way of one block, and rounds at full durability.
 *
 *   node test/bench/queue-speed.mjs [--blocks N] [--workers N] [--seconds S] [--tries N]
 *
 * Run it after `npm run build`; it needs redis-server. The server is the compiled program, the workers
 * are connections of this one, each of which sends its next round when the last was acknowledged.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { digestOf } from '@assay/model'
import { defaultPool, openBullmqCourier } from '@assay/queue'
// biome-ignore lint/correctness/noUndeclaredDependencies: the yardstick is what the queue itself uses
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { median, printTable } from './table.mjs'

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '5' },
    tries: { type: 'string', default: '5' },
  },
})
const [blocks, workers, seconds, tries] = [
  ...[values.blocks, values.workers, values.seconds, values.tries].map(Number),
]
const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const quantile = (numbers, share) =>
  [...numbers].sort((left, right) => left - right)[Math.floor(share * (numbers.length - 1))] ?? 0

const startRedis = async () => {
  const socket = join(scratch, 'redis.sock')
  const words = ['--unixsocket', socket, '--port', '0', '--dir', scratch, '--save', '']
  const server = spawn('redis-server', [...words, '--appendonly', 'yes'], { stdio: 'ignore' })
  const client = new Redis(socket, { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => undefined)
  await client.ping()
  return { socket, client, server }
}

/** 10,000 blocks into an empty queue, by the courier and by BullMQ itself, by turns. */
const fanOut = async () => {
  const { socket, client, server } = await startRedis()
  const jobs = Array.from({ length: blocks }, (_, index) => ({
    ...{ runId: 'run', blockId: `b${index}`, pool: defaultPool, priority: 0 },
  }))
  const raw = new Queue('raw', { connection: client })
  const bulk = jobs.map(({ runId, blockId }) => ({
    ...{ name: 'block', data: {}, opts: { jobId: `${runId}/${blockId}`, priority: 1 } },
  }))
  const rates = { courier: [], raw: [] }
  for (let at = 0; at < tries; at += 1)
    for (const contender of at % 2 === 0 ? ['courier', 'raw'] : ['raw', 'courier']) {
      await client.flushall()
      const courier = await openBullmqCourier({ url: socket, answerMillis: 60_000 })
      const started = performance.now()
      await (contender === 'raw' ? raw.addBulk(bulk) : courier.add(jobs))
      rates[contender].push((blocks / (performance.now() - started)) * 1000)
      await courier.close()
    }
  await raw.close()
  client.disconnect()
  server.kill('SIGKILL')
  return { courier: median(rates.courier), raw: median(rates.raw) }
}

/** The compiled server over a campaign of that many blocks of three cells. */
const startServer = async (count) => {
  const folder = mkdtempSync(join(scratch, 'server-'))
  mkdirSync(join(folder, 'campaigns'))
  const revisions = Array.from({ length: count }, (_, index) => index + 1).join(', ')
  writeFileSync(
    join(folder, 'campaigns', 'speed.yaml'),
    `compare: { mode: { a: no-mmap, b: mmap-no-populate, c: mmap-populate } }
engines: [{ fake: script.json }]
benchmarks: [{ name: hg.command.log, with: { limit-rev: [${revisions}] } }]
datasets: { tiny: { generate: mercurial-like, scale: 0.002 } }
sampling: { rounds: 20, warmups: 0 }
`,
  )
  const program = createRequire(import.meta.url).resolve('@assay/api/main')
  const words = ['--port', '0', '--db', join(folder, 'assay.db'), '--token-file', 'token']
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    ...{ cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  })
  const url = await new Promise((resolve) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const [, found] = /served at (http:\S+\/api\/v1)/.exec(text) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const token = readFileSync(join(folder, 'token'), 'utf8').trim()
  const agent = new Agent({ keepAlive: true, maxSockets: workers })
  const ask = (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body)
      const headers = {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        'content-length': Buffer.byteLength(text),
      }
      const asked = request(`${url}${path}`, { method, headers, agent }, (answer) => {
        let said = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          said += chunk
        })
        answer.on('end', () =>
          answer.statusCode < 300
            ? resolve(said === '' ? null : JSON.parse(said))
            : reject(new Error(`${method} ${path}: ${answer.statusCode} ${said}`)),
        )
      })
      asked.on('error', reject).end(text)
    })
  const { id } = await ask('POST', '/runs', { campaign: 'speed' })
  const close = async () => {
    agent.destroy()
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  return { id, ask, close }
}

const facts = { 'cpu.model': 'one and the same' }
const fingerprint = { digest: digestOf(facts), facts }
const usage = {
  ...{ wallSeconds: 0.1, userSeconds: 0.05, systemSeconds: 0.03, peakRssBytes: 12_345_678 },
  ...{ minorFaults: 1, majorFaults: 0, voluntarySwitches: 1, involuntarySwitches: 1 },
  ...{ blocksIn: 0, blocksOut: 0 },
}
const conditions = {
  ...{ bootSeconds: 1, load: null, cpuPressure: null, ioPressure: null, stealSeconds: null },
  ...{ temperatureCelsius: null, frequencyMegahertz: null },
}
const roundOf = (taken, number) => {
  const samples = taken.block.cells.map((cell, position) => ({
    ...{ cellId: cell.id, position, outcome: 'good', exitCode: 0, signal: null, usage },
    ...{ metrics: {}, loops: 1, stackPaddingBytes: 0, stderr: '' },
  }))
  const round = { number, warmup: false, conditions, samples }
  return { token: taken.take.token, digest: digestOf(round), round }
}

const nextBlock = async ({ ask }, worker) => {
  const { block } = await ask('POST', '/blocks/next', {
    pool: defaultPool,
    worker,
    waitMillis: 9000,
  })
  const path = `/runs/${block.runId}/blocks/${block.blockId}`
  return { path, taken: await ask('POST', `${path}/take`, { worker, fingerprint }) }
}

/** Take, one round, finish: what a block costs beyond what it measures. */
const oneByOne = async () => {
  const count = 200
  const server = await startServer(count)
  const times = []
  for (let at = 0; at < count; at += 1) {
    const started = performance.now()
    const { path, taken } = await nextBlock(server, 'w1')
    await server.ask('PUT', `${path}/rounds/1`, roundOf(taken, 1))
    const cells = taken.block.cells.map(({ id }) => ({
      ...{ cellId: id, status: 'measured', reason: null },
    }))
    const { token } = taken.take
    await server.ask('POST', `${path}/finish`, { token, stopReason: 'rounds', cells })
    times.push(performance.now() - started)
  }
  await server.close()
  return times
}

/** Every worker sends round after round; how long each took to be acknowledged. */
const rounds = async () => {
  const server = await startServer(workers)
  const held = []
  for (let at = 0; at < workers; at += 1) held.push(await nextBlock(server, `w${at}`))
  const times = []
  const began = performance.now()
  const until = began + seconds * 1000
  await Promise.all(
    held.map(async ({ path, taken }) => {
      for (let number = 1; performance.now() < until; number += 1) {
        const body = roundOf(taken, number)
        const started = performance.now()
        await server.ask('PUT', `${path}/rounds/${number}`, body)
        times.push(performance.now() - started)
      }
    }),
  )
  const elapsed = (performance.now() - began) / 1000
  await server.close()
  return { rate: times.length / elapsed, times }
}

try {
  const fanned = await fanOut()
  printTable(
    ['fanned out', 'blocks/s', 'share of raw'],
    [
      ['BullMQ addBulk', fanned.raw.toFixed(0), '1.00'],
      ['courier', fanned.courier.toFixed(0), (fanned.courier / fanned.raw).toFixed(2)],
    ],
  )
  const times = await oneByOne()
  console.log(
    `\none block, take to done: p50 ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`,
  )
  const saved = await rounds()
  console.log(
    `\n${workers} workers, rounds of 3 samples, synchronous FULL: ${saved.rate.toFixed(0)} acknowledged/s,` +
      ` p50 ${median(saved.times).toFixed(1)} ms, p99 ${quantile(saved.times, 0.99).toFixed(1)} ms`,
  )
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
