import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@assay/model'
import { openStore } from '@assay/store'
import Database from 'better-sqlite3'
import { execa } from 'execa'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { blockOf, fault, planOf, runOf, storePath, yaml } from '../unit/store/example-run.ts'

const root = new URL('../..', import.meta.url).pathname
const writer = new URL('store-writer.mjs', import.meta.url).pathname
const lineSchema = z.union([z.object({ saved: z.int() }), z.object({ round: z.int() })])
const kills = 10

// The writer is a program of its own: it runs what is compiled, as users do.
beforeAll(async () => {
  await execa('npx', ['tsc', '-b', 'packages/store'], { cwd: root })
})

const startWriter = (path: string, token: string, first: number, together = 1) => {
  const child = execa('node', [writer, path, token, String(first), String(together)], {
    reject: false,
    buffer: false,
  })
  const rounds: number[] = []
  let saved: number | null = null
  let complaint = ''
  child.stderr.on('data', (bytes) => {
    complaint += String(bytes)
  })
  const ended = (async () => {
    for await (const text of createInterface({ input: child.stdout })) {
      const line = lineSchema.parse(JSON.parse(text))
      if ('round' in line) rounds.push(line.round)
      else saved = line.saved
    }
  })()
  return {
    child,
    rounds,
    saved: () => saved,
    /** Resolves once the writer has acknowledged a round, or has ended without. */
    isBusy: async (): Promise<boolean> => {
      while (rounds.length === 0 && child.exitCode === null) await sleep(5)
      return rounds.length > 0
    },
    /** What it said on its standard error, once it has ended. */
    complaint: async (): Promise<string> => {
      await child
      return complaint
    },
    /** Resolves once it is dead and all that it said has been read. */
    kill: async (): Promise<void> => {
      child.kill('SIGKILL')
      await child
      await ended
    },
  }
}

const newStore = (path: string) => {
  const store = openStore({ path, access: 'write', now: Date.now })
  store.campaigns.save({ name: 'mmap', yaml })
  store.runs.create({ run: runOf('run-1'), plan: planOf([blockOf('b1', [null, null])]) })
  store.close()
}

/** After a kill: the lock is free, the file is sound, and these rounds are in the store. */
const savedRounds = (path: string): readonly number[] => {
  const store = openStore({ path, access: 'write', now: Date.now })
  store.blocks.requeueAll('run-1')
  const { samples } = store.samples.ofRun('run-1', { limit: 1_000_000, cursor: null })
  store.close()
  const database = new Database(path, { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.pragma('foreign_key_check')).toEqual([])
  database.close()
  const perCell = ['b1.c1', 'b1.c2'].map((cellId) =>
    samples.filter((sample) => sample.cellId === cellId).map((sample) => sample.round),
  )
  expect(perCell[0]).toEqual(perCell[1])
  expect(samples.every((sample) => sample.metrics['readBytes'] === sample.round)).toBe(true)
  return perCell[0] ?? []
}

it.each([
  ['one at a time', 1],
  ['that share their commits', 8],
])(
  'a writer of rounds %s, killed at any moment, loses none that it acknowledged and doubles none',
  async (_, together) => {
    const path = storePath()
    newStore(path)
    const random = seededRandom(`kill ${together}`)
    let next = 1
    for (let kill = 0; kill < kills; kill += 1) {
      const running = startWriter(path, `token-${kill}`, next, together)
      expect(await running.isBusy()).toBe(true)
      await sleep(random() * 60)
      await running.kill()
      expect(running.saved()).toBe(next - 1)
      const saved = savedRounds(path)
      expect(saved).toEqual(Array.from({ length: saved.length }, (_, index) => index + 1))
      const acknowledged = running.rounds.at(-1) ?? 0
      // The rounds in flight may have been committed before their acknowledgement could be said.
      expect(saved.length).toBeGreaterThanOrEqual(acknowledged)
      expect(saved.length).toBeLessThanOrEqual(acknowledged + together)
      next = saved.length + 1
    }
    expect(next).toBeGreaterThan(kills)
  },
)

it('a second writer is refused with the pid of the first, until the first is killed', async () => {
  const path = storePath()
  newStore(path)
  const running = startWriter(path, 'token', 1)
  expect(await running.isBusy()).toBe(true)
  const open = () => openStore({ path, access: 'write', now: Date.now })
  expect(open).toThrow(fault('store-busy', `process ${running.child.pid}`))
  const reader = openStore({ path, access: 'read', now: Date.now })
  expect(reader.runs.find('latest').status).toBe('running')
  reader.close()
  await running.kill()
  const store = open()
  expect(store.runs.progress('run-1').samples).toBeGreaterThan(0)
  store.close()
})

it('of several writers that start at once exactly one gets the store, and the others say so', async () => {
  const path = storePath()
  newStore(path)
  const running = Array.from({ length: 5 }, (_, index) => startWriter(path, `token-${index}`, 1))
  const busy = await Promise.all(running.map((each) => each.isBusy()))
  expect(busy.filter(Boolean)).toHaveLength(1)
  const winner = running[busy.indexOf(true)]
  for (const loser of running.filter((each) => each !== winner)) {
    const said = await loser.complaint()
    expect(said).toContain('store-busy')
    expect(said).toContain(`process ${winner?.child.pid}`)
  }
  await winner?.kill()
})
