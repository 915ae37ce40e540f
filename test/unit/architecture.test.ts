/** The rank table of the house, enforced: imports go down, never sideways, never into an app. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname

/** Rank by package; an import must go to a lower rank. */
const ranks: Readonly<Record<string, number>> = {
  model: 0,
  revlog: 0,
  campaign: 1,
  stats: 1,
  store: 1,
  measure: 1,
  bench: 2,
  queue: 2,
  report: 2,
  orchestrator: 3,
  api: 4,
  worker: 4,
  cli: 4,
}

const folderOf = (name: string): string => join(root, ranks[name] === 4 ? 'apps' : 'packages', name)

const sourcesOf = (name: string): string[] =>
  readdirSync(join(folderOf(name), 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folderOf(name), 'src', path))

/** Specifiers of static and dynamic imports and of re-exports. */
const importsOf = (path: string): string[] =>
  [
    ...readFileSync(path, 'utf8').matchAll(/(?:\bfrom|import\(|^import)\s*['"]([^'"\s]+)['"]/gm),
  ].flatMap(([, specifier]) => (specifier === undefined ? [] : [specifier]))

const declaredOf = (name: string): string[] => {
  const manifest: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(folderOf(name), 'package.json'), 'utf8'),
  )
  return Object.keys(manifest.dependencies ?? {})
}

describe('the house', () => {
  it('has exactly the packages of the rank table', () => {
    const folders = [...readdirSync(join(root, 'packages')), ...readdirSync(join(root, 'apps'))]
    expect(folders.filter((name) => name !== 'Dockerfile').sort()).toEqual(
      Object.keys(ranks).sort(),
    )
  })

  it.each(Object.keys(ranks))('lets %s import only packages of a lower rank', (name) => {
    for (const path of sourcesOf(name)) {
      for (const specifier of importsOf(path)) {
        const target = /^@assay\/([^/]+)(\/.*)?$/.exec(specifier)
        if (target === null) continue
        const [, imported = '', inner] = target
        expect(inner, `${path} reaches inside ${specifier}`).toBeUndefined()
        expect(ranks[imported], `${path} imports ${specifier}`).toBeLessThan(ranks[name] ?? -1)
      }
    }
  })

  it.each(Object.keys(ranks))(
    'lets %s declare each dependency that it uses, and no other',
    (name) => {
      const used = new Set(
        sourcesOf(name)
          .flatMap(importsOf)
          .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
          .map((specifier) =>
            specifier
              .split('/')
              .slice(0, specifier.startsWith('@') ? 2 : 1)
              .join('/'),
          ),
      )
      // The command line starts the programs of the other apps by path, without importing them.
      const startedByPath = name === 'cli' ? ['@assay/api', '@assay/worker'] : []
      // koffi is loaded when it is first needed, by require.
      const loadedLazily = ['revlog', 'measure'].includes(name) ? ['koffi'] : []
      const declared = declaredOf(name).filter(
        (dependency) => ![...startedByPath, ...loadedLazily].includes(dependency),
      )
      expect([...used].filter((one) => one !== 'koffi').sort()).toEqual(declared.sort())
    },
  )

  it('keeps the revlog engine free of any knowledge of Assay', () => {
    for (const path of sourcesOf('revlog')) {
      expect(importsOf(path).filter((specifier) => specifier.startsWith('@assay/'))).toEqual([])
    }
  })

  it('keeps SQL inside the store', () => {
    const statement = /\b(SELECT .+ FROM|INSERT INTO|UPDATE .+ SET|DELETE FROM|CREATE TABLE)\b/
    for (const name of Object.keys(ranks).filter((one) => one !== 'store')) {
      for (const path of sourcesOf(name)) {
        expect(statement.test(readFileSync(path, 'utf8')), path).toBe(false)
      }
    }
  })

  it('has no bag of leftovers', () => {
    const bags = /(^|\/)(utils?|helpers?|common|lib|misc|manager)(\.ts|\/|$)/
    for (const name of Object.keys(ranks)) {
      for (const path of sourcesOf(name)) {
        expect(bags.test(path.slice(folderOf(name).length)), path).toBe(false)
      }
    }
  })

  it('has files that can be read in one go', () => {
    for (const name of Object.keys(ranks)) {
      for (const path of sourcesOf(name)) {
        expect(readFileSync(path, 'utf8').split('\n').length, path).toBeLessThanOrEqual(320)
      }
    }
  })
})
