/** What breaks a fleet, by name: each strikes a run under way and says how long it took to recover. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@assay/model'
import { leaseMillis } from './fleet.mjs'

/** Longer than a lease, and than the search for leases that ran out. */
const outageMillis = leaseMillis + 1_000

const killAndRestart = async (program) => {
  await program.end('SIGKILL')
  await program.cleared?.()
  program.start()
}

const killRedis = async ({ redis, folder }, keep) => {
  await redis.end('SIGKILL')
  if (!keep) rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true })
  await sleep(200)
  redis.start()
}

const killLauncher = async ({ workers, launcherOf, until, runOver }, which) => {
  let launcher = []
  await until('a launcher', async () => {
    launcher = workers.map(launcherOf).find(({ length }) => length > 1) ?? []
    return launcher.length > 1 || (await runOver())
  })
  try {
    if (launcher.length > 1) process.kill(launcher[which], 'SIGKILL')
  } catch {
    // Its block ended in this moment.
  }
}

const broken = async ({ proxy }, mode) => {
  proxy.set(mode)
  await sleep(outageMillis)
  proxy.set('pass')
}

const full = (fleet) =>
  fleet.withRedis(async (client) => {
    await client.config('SET', 'maxmemory', '1mb')
    await sleep(outageMillis)
    await client.config('SET', 'maxmemory', '0')
  })

const stopBoth = async ({ workers }) => {
  for (const worker of workers) worker.signal('SIGSTOP')
  await sleep(outageMillis)
  for (const worker of workers) worker.signal('SIGCONT')
}

const stopServer = async ({ server }) => {
  server.signal('SIGSTOP')
  await sleep(outageMillis)
  server.signal('SIGCONT')
}

/** An hour forward, and then back to an hour before the time that it is. */
const jump = (programs) => async (fleet) => {
  for (const program of programs(fleet)) program.signal('SIGUSR2')
  await fleet.acknowledged(2)
  for (const program of programs(fleet)) program.signal('SIGUSR2')
}

/** A fault that strikes after some rounds; the time counts from its end. */
const striking = (fault) => async (fleet) => {
  await fleet.acknowledged(4)
  await fault(fleet)
  return { recovery: await fleet.recovery() }
}

const during = (mode) => async (fleet) => {
  fleet.proxy.set(mode)
  await fleet.until('the run ends', fleet.runOver)
  fleet.proxy.set('pass')
  return { recovery: null }
}

const secondServer = async ({ startServer }) => {
  const { status, stderr } = startServer()
  if (status === 0 || !/store-busy/.test(stderr))
    throw new Error(`a second server: ${status} ${stderr}`)
}

export const faults = {
  none: striking(async () => undefined),
  'api killed': striking(({ server }) => killAndRestart(server)),
  'worker killed': striking(({ workers: [first] }) => killAndRestart(first)),
  'both workers killed': striking(({ workers }) => Promise.all(workers.map(killAndRestart))),
  'launcher killed (guard)': striking((fleet) => killLauncher(fleet, 0)),
  'launcher killed (worker half)': striking((fleet) => killLauncher(fleet, 1)),
  'Redis killed with its file': striking((fleet) => killRedis(fleet, true)),
  'Redis killed without a file': striking((fleet) => killRedis(fleet, false)),
  FLUSHALL: striking(({ withRedis }) => withRedis((client) => client.flushall())),
  'Redis at maxmemory': striking(full),
  'network drops beyond the lease': striking((fleet) => broken(fleet, 'drop')),
  'network refuses beyond the lease': striking((fleet) => broken(fleet, 'refuse')),
  'workers stand still beyond the lease': striking(stopBoth),
  'api stands still beyond the lease': striking(stopServer),
  "the api's clock jumps": striking(jump(({ server }) => [server])),
  "the workers' clocks jump": striking(jump(({ workers }) => workers)),
  'rounds and deliveries twice': during('twice'),
  'rounds late and out of order': during('late'),
  'second api on the store': striking(secondServer),
}

/** Kills something at random moments of run after run, so many times; the same for the same seed. */
export const killAtRandom = (kills, seed) => async (fleet) => {
  const random = seededRandom(seed)
  const strikes = [
    () => killAndRestart(fleet.server),
    () => killAndRestart(fleet.workers[0]),
    () => killAndRestart(fleet.workers[1]),
    () => killLauncher(fleet, 0),
    () => killLauncher(fleet, 1),
    () => killRedis(fleet, true),
    () => killRedis(fleet, false),
  ]
  for (let kill = 0; kill < kills; kill += 1) {
    if (await fleet.runOver()) {
      await fleet.until('the server is back', fleet.isUp)
      await fleet.launch()
    }
    // Half of them strike a fleet that has just recovered, the others one that still starts.
    if (random() < 0.5) await fleet.acknowledged(1)
    await sleep(random() * 150)
    await strikes[Math.floor(random() * strikes.length)]?.()
  }
  await fleet.until('the server is back', fleet.isUp)
  return { recovery: null }
}
