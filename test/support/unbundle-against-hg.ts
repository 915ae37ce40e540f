/** What a repository holds, as hg sees it and as it lies on disk. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { hg, hgEnvironment, program, revlog } from './revlog-against-hg.ts'

const HISTORY = [
  'log',
  '--hidden',
  '-r',
  'all()',
  '-T',
  `{rev} {node} {p1node} {p2node} {branch} {phase} {bookmarks} {tags} {files}
    {ifcontains(rev, revset('head() and not closed()'), 'is an open head')}\n`,
]

/** History with phases, names and open heads, the tip's manifest, and what verify says. */
export function seenByHg(repository: string): object {
  const ask = (args: readonly string[]): string => {
    const { stdout, stderr } = hg(repository, args)
    return stdout.toString('latin1') + stderr.toString('latin1')
  }
  return {
    history: ask(HISTORY),
    manifest: ask(['manifest', '--debug', '-r', 'tip']),
    verify: ask(['verify']),
  }
}

/** Applies a bundle to a copy of a repository by both, and expects the same output and outcome. */
export function expectSameUnbundle(
  repository: string,
  args: readonly string[],
  prepare?: (copy: string) => void,
): void {
  const outcomes = [hg, revlog].map((run) => {
    // The same path for both: messages name it.
    const copy = `${repository}-copy`
    rmSync(copy, { recursive: true, force: true })
    cpSync(repository, copy, { recursive: true, verbatimSymlinks: true })
    prepare?.(copy)
    const { stdout, stderr, status } = run(copy, ['unbundle', ...args])
    const seen = seenByHg(copy)
    expect(leftBehind(copy)).toEqual([])
    return { stdout: stdout.toString(), stderr: stderr.toString(), status, ...seen }
  })
  expect(outcomes[1]).toEqual(outcomes[0])
}

/** Locks, journals and half-written files in .hg. */
export function leftBehind(repository: string): readonly string[] {
  return filesOf(join(repository, '.hg')).filter((name) =>
    /(^|\/)(w?lock|journal)(\.break)?$|~$/.test(name),
  )
}

/** The store's files with the hashes of their contents; what is kept for a rollback left out. */
export function storeContents(repository: string): ReadonlyMap<string, string> {
  const store = join(repository, '.hg', 'store')
  const names = filesOf(store).filter((name) => !/(^|\/)(undo|journal|lock)/.test(name))
  return new Map(
    names.map((name) => {
      const bytes = readFileSync(join(store, name))
      return [name, createHash('sha1').update(bytes).digest('hex')]
    }),
  )
}

/** Runs the program with its death at a certain call, or with a count of the calls. */
export function unbundleAndDie(repository: string, bundle: string, dieAt: number | 'count') {
  const preload = join(import.meta.dirname, 'die-at-call.cjs')
  return spawnSync(process.execPath, ['-r', preload, program, 'unbundle', '-q', bundle], {
    cwd: repository,
    env: { ...hgEnvironment(), DIE_AT: `${dieAt}` },
    encoding: 'utf8',
  })
}

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'latin1' })
    .filter(
      (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() !== true,
    )
    .sort()
}
