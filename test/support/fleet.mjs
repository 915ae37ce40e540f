/**
 * A fleet to break: server, two workers with a host of their own each, Redis, and the network between,
 * all real and of this machine. Its samples hold a lock of their host while they run, so that one which
 * runs beside another, or outlives its worker, is seen.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import { openProxy } from './tcp-proxy.mjs'

const require = createRequire(import.meta.url)
const jumpingClock = new URL('./jumping-clock.mjs', import.meta.url).href
/** How long a silent worker holds a block. */
export const leaseMillis = 1_000
const rounds = 12
const blocksOfRun = 3
const terminal = new Set(['complete', 'failed', 'cancelled'])

/** A sample that cannot have its host for itself ends with 9. */
const campaign = `
compare: { mode: { a: no-mmap, b: mmap-populate } }
engines: [exec]
benchmarks:
${[1, 2, 3].map((at) => `  - { name: exec, command: [flock, -n, -E, "9", host.flock, sh, -c, "sleep 0.01; : ${at}", "\${mode}"] }`).join('\n')}
sampling: { rounds: ${rounds}, warmups: 1 }
`

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const until = async (what, isTrue, millis = 60_000) => {
  const end = performance.now() + millis
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited ${millis} ms in vain: ${what}`)
    await sleep(20)
  }
}

const childrenOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}

const mentioning = (text) =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(text)
    } catch {
      return false
    }
  })

const workingIn = (folder) =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder
    } catch {
      return false
    }
  })

/** A program that is started, killed, and started again. */
const openProgram = (start) => {
  let child = null
  let ended = Promise.resolve()
  const self = {
    start: () => {
      child = start()
      ended = new Promise((resolve) => child.once('exit', resolve))
    },
    pid: () => child.pid,
    signal: (name) => child.kill(name),
    end: async (name) => {
      child.kill(name)
      await ended
    },
  }
  self.start()
  return self
}

/** Opens one with a first run under way. */
export const openFleet = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fleet-'))
  mkdirSync(join(folder, 'campaigns'))
  writeFileSync(join(folder, 'campaigns', 'fleet.yaml'), campaign)
  const port = await freePort()
  const socket = join(folder, 'redis.sock')
  const db = join(folder, 'assay.db')
  const proxy = await openProxy(() => port)
  const env = { ...process.env, TMPDIR: folder }
  const logged = (name) => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    return {
      env: { ...env, NODE_OPTIONS: `--import ${jumpingClock}` },
      stdio: ['ignore', log, log],
    }
  }
  const serverLog = logged('server')
  const redis = openProgram(() =>
    spawn(
      'redis-server',
      [
        '--unixsocket',
        socket,
        '--port',
        '0',
        '--dir',
        folder,
        '--save',
        '',
        '--appendonly',
        'yes',
        '--maxmemory-policy',
        'noeviction',
      ],
      { stdio: 'ignore' },
    ),
  )
  const withRedis = async (use) => {
    const client = new Redis(socket, { retryStrategy: () => 20, maxRetriesPerRequest: null })
    client.on('error', () => undefined)
    try {
      return await use(client)
    } finally {
      client.disconnect()
    }
  }
  await withRedis((client) => client.ping())
  const serverWords = [
    '--port',
    String(port),
    '--db',
    db,
    '--campaigns',
    join(folder, 'campaigns'),
    '--token-file',
    'token',
    '--lease-millis',
    String(leaseMillis),
    '--redis',
    socket,
  ]
  const startServer = () =>
    spawn(process.execPath, [require.resolve('@assay/api/main'), ...serverWords], {
      cwd: folder,
      ...serverLog,
    })
  const server = openProgram(startServer)
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the server listens', isUp)
  const token = readFileSync(join(folder, 'token'), 'utf8').trim()
  const ask = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const options =
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, options)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  let survivors = 0
  const workers = ['w1', 'w2'].map((name) => {
    const home = join(folder, name)
    mkdirSync(home)
    const log = logged(name)
    const words = [
      '--server',
      proxy.url,
      '--datasets',
      home,
      '--host-lock',
      join(home, 'host.lock'),
      '--name',
      name,
    ]
    const worker = openProgram(() =>
      spawn(process.execPath, [require.resolve('@assay/worker/main'), ...words], {
        ...{ ...log, cwd: home, env: { ...log.env, ASSAY_TOKEN: token } },
      }),
    )
    return {
      ...worker,
      /** Waits until nothing is left of a worker that was killed, and counts what stays. */
      cleared: async () => {
        const isClear = () => workingIn(home).length === 0
        await until('nothing outlives the worker', isClear, 2_000).catch(() => undefined)
        survivors += workingIn(home).length
      },
    }
  })
  const runs = []
  const launch = async () => {
    runs.push((await ask('/runs', { campaign: 'fleet' })).id)
  }
  await launch()

  const statusOf = (id) =>
    ask(`/runs/${id}`).then(
      ({ status }) => status,
      () => 'away',
    )
  const isOver = async (id) => terminal.has(await statusOf(id))
  /** Resolves with the seconds until another round is acknowledged, or null if the run ended first. */
  const recovery = async (since = performance.now()) => {
    const seen = proxy.acknowledged.length
    const id = runs.at(-1)
    await until(
      'a round after the fault',
      async () => proxy.acknowledged.length > seen || (await isOver(id)),
    )
    return proxy.acknowledged.length > seen ? (proxy.acknowledged[seen].at - since) / 1000 : null
  }

  return {
    ...{
      folder,
      port,
      server,
      redis,
      workers,
      proxy,
      withRedis,
      ask,
      launch,
      isUp,
      until,
      recovery,
      childrenOf,
    },
    serverWords,
    /** The processes of a launcher that a worker has, the guard first; empty between two blocks. */
    launcherOf: (worker) => childrenOf(worker.pid()).flatMap((pid) => [pid, ...childrenOf(pid)]),
    runOver: async () => isOver(runs.at(-1)),
    /** Waits until so many rounds were acknowledged since now. */
    acknowledged: async (count) => {
      const goal = proxy.acknowledged.length + count
      await until(
        `${count} rounds`,
        async () => proxy.acknowledged.length >= goal || (await isOver(runs.at(-1))),
      )
    },
    /** Waits for all runs, then counts what is there. */
    account: async () => {
      await until(
        'all runs end',
        async () => {
          for (const id of runs) if (!(await isOver(id))) return false
          return true
        },
        120_000,
      ).catch(() => undefined)
      const states = await Promise.all(runs.map(statusOf))
      const database = new Database(db, { readonly: true })
      const saved = database
        .prepare('SELECT digest, count(*) AS count FROM round GROUP BY take_key, digest')
        .all()
      const judged = database
        .prepare(`SELECT count(r.number) AS count, count(DISTINCT r.number) AS numbers, b.status, b.stop_reason AS reason FROM block b
        LEFT JOIN take t ON t.block_key = b.block_key AND t.number = (SELECT max(number) FROM take WHERE block_key = b.block_key)
        LEFT JOIN round r ON r.take_key = t.take_key AND r.warmup = 0 GROUP BY b.block_key`)
        .all()
      const isGivenUp = ({ status, reason }) => status === 'dead' || reason === 'failed'
      const short = judged.filter((block) => !isGivenUp(block) && block.numbers !== rounds)
      const samples = database
        .prepare('SELECT count(*) AS count FROM sample WHERE exit_code = 9')
        .get()
      database.close()
      const digests = new Set(saved.map(({ digest }) => digest))
      const missing = proxy.acknowledged.filter(({ digest }) => !digests.has(digest)).length
      return {
        runs: runs.length,
        blocks: runs.length * blocksOfRun,
        acknowledged: new Set(proxy.acknowledged.map(({ digest }) => digest)).size,
        lost: missing + short.length,
        doubled:
          saved.filter(({ count }) => count > 1).length +
          judged.filter(({ count, numbers }) => count !== numbers).length +
          proxy.wrong.length,
        overlaps: samples.count,
        unfinished:
          states.filter((status) => !terminal.has(status)).length +
          judged.filter(({ status }) => !['done', 'dead'].includes(status)).length,
        /** Blocks given up by name: attempt after attempt was killed before it saved a round. */
        dead: judged.filter(isGivenUp).length,
        survivors,
      }
    },
    /** Ends it all; its folder, with the logs and the store, is left where somebody wants to look. */
    close: async (keep) => {
      for (const worker of workers) worker.signal('SIGCONT')
      await Promise.all([...workers, server].map((program) => program.end('SIGKILL')))
      await redis.end('SIGKILL')
      await proxy.close()
      await until('nothing is left', () => mentioning(folder).length === 0, 5_000)
      if (keep) process.stderr.write(`kept: ${folder}\n`)
      else rmSync(folder, { recursive: true, force: true })
    },
    startServer: () =>
      spawnSync(process.execPath, [require.resolve('@assay/api/main'), ...serverWords], {
        cwd: folder,
        env,
        encoding: 'utf8',
      }),
  }
}
