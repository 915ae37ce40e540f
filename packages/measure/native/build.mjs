/**
 * Compiles the launcher at installation. Without a working C compiler it says so and succeeds: the
 * koffi launcher then takes over, which measures time as well but not peak memory.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const files = readdirSync(here('.')).map((name) => here(name))
const sources = files.filter((name) => name.endsWith('.c'))
const folder = here('../dist')
const target = here('../dist/assay-launcher')

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const compile = () => {
  mkdirSync(folder, { recursive: true })
  // A name of its own, then a rename: a launcher that is running cannot be overwritten.
  const fresh = `${target}.${process.pid}`
  const compiler = process.env.CC ?? 'cc'
  const flags = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-o', fresh, ...sources]
  const { status, error } = spawnSync(compiler, flags, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status === 0) {
    renameSync(fresh, target)
    return
  }
  rmSync(fresh, { force: true })
  // What a previous source left would speak of another protocol.
  rmSync(target, { force: true })
  const reason = error === undefined ? `${compiler} failed` : `${compiler} cannot be run`
  console.log(
    `launcher: not built (${reason}); the koffi launcher will be used and peak memory is unknown`,
  )
}

if (changedAt(target) <= Math.max(...files.map(changedAt))) compile()
