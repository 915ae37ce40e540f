/** The revlog program and hg side by side, each in the same clean environment. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { expect } from 'vitest'

/** The bundled program. */
export const program = createRequire(import.meta.url).resolve('@assay/revlog/cli')

/** Runs both in the repository and expects the same output, and no complaint of either. */
export function expectSame(repository: string, args: readonly string[], env = {}): void {
  const theirs = hg(repository, args, env)
  const ours = revlog(repository, args, env)
  expect(theirs.stderr.toString()).toBe('')
  expect([ours.stderr.toString(), ours.status]).toEqual(['', 0])
  expect(ours.stdout.toString('latin1')).toBe(theirs.stdout.toString('latin1'))
}

/** Runs the program in a repository. */
export function revlog(
  repository: string,
  args: readonly string[],
  env = {},
): SpawnSyncReturns<Buffer> {
  return spawnSync(process.execPath, [program, ...args], {
    cwd: repository,
    env: { ...hgEnvironment(), ...env },
    maxBuffer: 1 << 28,
  })
}

/** Runs hg in a repository. */
export function hg(
  repository: string,
  args: readonly string[],
  env = {},
): SpawnSyncReturns<Buffer> {
  const allow = ['--config', 'storage.dirstate-v2.slow-path=allow']
  return spawnSync('hg', [...args, ...allow], {
    cwd: repository,
    env: { ...hgEnvironment(), ...env },
    maxBuffer: 1 << 28,
  })
}

/** What both see of the environment. */
export function hgEnvironment(): NodeJS.ProcessEnv {
  const { PATH } = process.env
  return {
    PATH,
    HGRCPATH: '',
    HGPLAIN: '1',
    LC_ALL: 'C',
    TZ: 'UTC',
    HGUSER: 'x',
  }
}

/** Shell lines that begin a history in an empty folder: copies, a closed branch, a merge. */
export const branchyHistory = `set -e
  hg init -q; mkdir dir
  for n in 0 1 2 3; do echo $n >> a; seq $((n * 40)) >> dir/b; hg commit -Aqm "c$n" -d "$n 0"; done
  hg cp a copied; hg mv dir/b dir/moved; hg commit -qm copies -d '4 0'
  hg update -q 1; hg branch -q side; echo z > side; hg commit -Aqm side -d '5 0'
  hg commit -q --close-branch -m close -d '6 0'
  hg update -q default; hg merge -q side; hg commit -qm merge -d '7 0'
`
