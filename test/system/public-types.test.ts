/**
 * What each package shows to others is locked: its emitted declarations are goldens. A change of a
 * public type shows in the diff, and an `any` fails. Update them with `vitest -u` after a build.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const packages = readdirSync(join(root, 'packages'))

/** The declarations that the package's face reaches, in a stable order. */
const reachable = (entry: string): string[] => {
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const [, specifier] of readFileSync(path, 'utf8').matchAll(
      /(?:from|import\()\s*['"](\.[^'"]+)['"]/g,
    )) {
      visit(resolve(dirname(path), (specifier ?? '').replace(/\.(ts|js)$/, '.d.ts')))
    }
  }
  visit(entry)
  return [...seen].sort()
}

const declarationsOf = (name: string): string => {
  const dist = join(root, 'packages', name, 'dist')
  return reachable(join(dist, 'index.d.ts'))
    .map((path) => {
      const text = readFileSync(path, 'utf8').replace(/\n?\/\/# sourceMappingURL=.*\n?$/, '\n')
      return `// ${relative(dist, path)}\n${text}`
    })
    .join('\n')
}

describe.each(packages)('the public types of %s', (name) => {
  it('are the locked ones', async () => {
    await expect(declarationsOf(name)).toMatchFileSnapshot(
      join(root, 'test/golden/types', `${name}.d.ts.txt`),
    )
  })

  it('contain no any', () => {
    const onlyTypes = declarationsOf(name)
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\/\/.*$/gm, '')
      // A level may be called "any".
      .replace(/"[^"\n]*"|'[^'\n]*'/g, '')
    expect(onlyTypes.match(/\bany\b/g) ?? []).toEqual([])
  })
})
