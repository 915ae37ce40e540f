/**
 * A run may be stopped or killed at any moment: what was saved stays as it is, nothing is doubled,
 * and `resume` (or the next server) completes it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type StoredSample, seededRandom } from '@assay/model'
import { openStore } from '@assay/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assay, assayProgram, startProgram, startServer } from '../support/programs.ts'

const rounds = 30

/** Two blocks of two cells that take a few milliseconds a sample. */
const yaml = `
compare: { mode: { first: no-mmap, second: mmap-no-populate } }
engines: [exec]
benchmarks:
  - { name: exec, command: [sh, -c, "sleep 0.004", "\${mode}"] }
  - { name: exec, command: [sh, -c, "sleep 0.006", "\${mode}"] }
sampling: { rounds: ${rounds}, warmups: 1 }
`

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-kill-'))
  writeFileSync(join(directory, 'campaign.yaml'), yaml)
})
afterEach(() => rmSync(directory, { recursive: true }))

const samplesIn = (db: string): StoredSample[] => {
  const store = openStore({ path: db, access: 'read', now: Date.now })
  try {
    const { runs } = store.runs.list({ limit: 1, cursor: null })
    const id = runs[0]?.id
    if (id === undefined) return []
    const samples: StoredSample[] = []
    let cursor: string | null = null
    do {
      const page: { samples: readonly StoredSample[]; nextCursor: string | null } =
        store.samples.ofRun(id, { limit: 1000, cursor })
      samples.push(...page.samples)
      cursor = page.nextCursor
    } while (cursor !== null)
    return samples
  } catch (error) {
    // Killed before the store was made.
    if (error instanceof Error && /store-missing|no such|not there/.test(String(error))) return []
    throw error
  } finally {
    store.close()
  }
}

const saved = (db: string): StoredSample[] => {
  try {
    return samplesIn(db)
  } catch {
    return []
  }
}

/** Waits until more is saved than now, or the program ended. */
const somethingNewIn = async (db: string, program: { readonly exitCode?: number | null }) => {
  const now = saved(db).length
  while (saved(db).length === now && typeof program.exitCode !== 'number') await sleep(5)
}

const keyOf = ({ cellId, take, round, warmup }: StoredSample): string =>
  `${cellId}/${take}/${warmup ? 'warmup' : 'round'}/${round}`

/** Every sample saved before is there after, unchanged; and no place is filled twice. */
const expectNothingLost = (before: readonly StoredSample[], after: readonly StoredSample[]) => {
  const byKey = new Map(after.map((sample) => [keyOf(sample), sample]))
  expect(byKey.size).toBe(after.length)
  for (const sample of before) expect(byKey.get(keyOf(sample))).toEqual(sample)
}

const expectComplete = (samples: readonly StoredSample[]) => {
  const judged = samples.filter(({ warmup, take }) => !warmup && take === 1)
  expect(judged).toHaveLength(2 * 2 * rounds)
}

describe('a single-process run', () => {
  it.each(['SIGINT', 'SIGKILL'] as const)(
    'ended by %s at ten random moments loses and doubles no saved round',
    async (signal) => {
      const random = seededRandom(`kill ${signal}`)
      const db = join(directory, 'assay.db')
      let argv = ['run', 'campaign.yaml', '--db', db]
      let hits = 0
      for (let kill = 0; kill < 10; kill += 1) {
        const child = startProgram(directory, assayProgram, ...argv)
        await somethingNewIn(db, child)
        await sleep(random() * 60)
        const before = saved(db)
        child.kill(signal)
        const end = await child
        const after = saved(db)
        expectNothingLost(before, after)
        if (signal === 'SIGINT' && after.length > 0 && end.exitCode !== 0) {
          expect(String(end.stderr)).toContain('assay resume')
        }
        if (after.length > 0) argv = ['resume', '--db', db]
        if (end.exitCode === 0) break
        if (after.length > 0) hits += 1
      }
      // The test would prove nothing if no kill came while rounds were being saved.
      expect(hits).toBeGreaterThanOrEqual(3)
      const before = saved(db)
      await assay(directory, ...argv)
      const after = samplesIn(db)
      expectNothingLost(before, after)
      expectComplete(after)
      const report = await assay(directory, 'report', '--db', db)
      expect(report.stdout).toMatch(/second: 0\.0\d+/)
    },
  )
})

describe('a server with an embedded worker', () => {
  it('killed with -9 at ten random moments completes the run under its successors', async () => {
    const campaigns = join(directory, 'campaigns')
    const db = join(directory, 'assay.db')
    const random = seededRandom('kill the api')
    // Started by the command line and left unfinished: the server takes it up.
    const child = startProgram(directory, assayProgram, 'run', 'campaign.yaml', '--db', db)
    while (saved(db).length < 4) await sleep(20)
    child.kill('SIGKILL')
    await child
    for (let kill = 0; kill < 10; kill += 1) {
      const server = await startServer(directory, { campaigns, worker: true })
      // Every other kill comes while rounds arrive; the rest, at any moment of starting up.
      if (kill % 2 === 0) await somethingNewIn(db, {})
      await sleep(random() * (kill % 2 === 0 ? 60 : 900))
      const before = saved(db)
      await server.stop('SIGKILL')
      expectNothingLost(before, saved(db))
    }
    const server = await startServer(directory, { campaigns, worker: true })
    for (;;) {
      const answer: { runs: { status: string }[] } = JSON.parse(
        await (await fetch(`${server.url}/api/v1/runs`)).text(),
      )
      if (answer.runs[0]?.status === 'complete') break
      await sleep(100)
    }
    await server.stop('SIGTERM')
    const after = samplesIn(db)
    expectComplete(after)
    expect(new Set(after.map(keyOf)).size).toBe(after.length)
  })
})

describe('a server that is told to stop while it starts', () => {
  it('ends in good order, or by the signal before it has begun', async () => {
    const ends = [200, 500, 800, 1_100, 1_500].map(async (millis) => {
      const store = join(directory, `${millis}.db`)
      const server = startProgram(directory, assayProgram, 'serve', '--port', '0', '--db', store)
      await sleep(millis)
      server.kill('SIGTERM')
      const { exitCode, signal, stderr } = await server
      return [exitCode ?? signal, /internal|error/i.test(String(stderr))]
    })
    for (const end of await Promise.all(ends))
      expect([
        [0, false],
        ['SIGTERM', false],
      ]).toContainEqual(end)
  })
})
