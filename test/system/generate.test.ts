/**
 * Generated datasets against hg itself: what the engine's writer writes, hg verifies, reads back equal
 * and can go on with.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateDataset, presets } from '@assay/bench'
import { openRepository, parseFileText, parseManifest } from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const SCALES: Readonly<Record<string, number>> = {
  'mercurial-like': 0.01,
  'pypy-like': 0.005,
  'netbeans-like': 0.002,
  'mozilla-try-like': 0.001,
  'changelog-only': 0.005,
}

/** A hg without its Rust parts touches the second dirstate format only when it is told to. */
const SLOW_DIRSTATE = 'storage.dirstate-v2.slow-path=allow'

let scratch = ''
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'generate-'))
})
afterAll(() => rmSync(scratch, { recursive: true }))

const hg = (repository: string, ...args: readonly string[]): Buffer =>
  execFileSync('hg', ['--cwd', repository, '--config', SLOW_DIRSTATE, ...args], {
    env: { PATH: process.env['PATH'], HGRCPATH: '', HGPLAIN: '1', LC_ALL: 'C', TZ: 'UTC' },
    maxBuffer: 256 * 1024 * 1024,
  })

const generate = async (
  name: string,
  preset: string,
  format: readonly string[],
  scale = SCALES[preset] ?? 0.001,
): Promise<string> => {
  const directory = join(scratch, name)
  await generateDataset({ preset, scale, format, seed: 'system', directory })
  return directory
}

describe('hg reads what was generated', () => {
  it.each(presets.map(({ name }) => name))(
    '%s passes hg verify and has the same history',
    async (preset) => {
      const directory = await generate(preset, preset, ['zstd', 'sparse-revlog'])
      const verified = hg(directory, 'verify').toString()
      expect(verified).toMatch(/checked \d+ changesets/)
      expect(verified).not.toMatch(/warning|error|damage/i)
      const repository = openRepository(directory, { mode: 'no-mmap' })
      const expected = Array.from({ length: repository.changelog.length }, (_, rev) => {
        const { p1, p2 } = repository.changelog.entry(rev)
        const { user, files } = repository.changeset(rev)
        return `${repository.changelog.index.nodeHex(rev)} ${p1} ${p2} ${user} ${files.length}`
      })
      repository.close()
      const template = '{node} {p1rev} {p2rev} {user} {files|count}\n'
      const logged = hg(directory, 'log', '-r', 'all()', '-T', template).toString()
      expect(logged.trimEnd().split('\n')).toEqual(expected)
    },
  )

  it.each(
    [
      ['zlib'],
      ['zstd', 'sparse-revlog'],
      ['none', 'sparse-revlog'],
      ['zlib', 'no-generaldelta'],
      ['zstd', 'generaldelta'],
      ['zlib', 'sparse-revlog', 'dirstate-v2'],
    ].map((format) => ({ name: format.join('-'), format })),
  )('$name: texts are equal, and hg goes on with it', async ({ name, format }) => {
    const directory = await generate(name, 'mercurial-like', format, 0.003)
    expect(hg(directory, 'verify', '-q').toString()).toBe('')
    const repository = openRepository(directory, { mode: 'no-mmap' })
    const tip = repository.changelog.length - 1
    for (const rev of [0, 100, tip]) {
      const changelog = hg(directory, 'debugdata', '-c', `${rev}`)
      expect(Buffer.compare(changelog, repository.changelog.rawText(rev))).toBe(0)
    }
    const last = repository.manifest.length - 1
    const manifest = hg(directory, 'debugdata', '-m', `${last}`)
    expect(Buffer.compare(manifest, repository.manifest.rawText(last))).toBe(0)
    const files = parseManifest(manifest).filter((_, at) => at % 20 === 0)
    expect(files.length).toBeGreaterThan(3)
    const { linkRev } = repository.manifest.entry(last)
    for (const { path, nodeHex } of files) {
      const filelog = repository.filelog(path)
      const text = filelog.rawText(filelog.findRev(Buffer.from(nodeHex, 'hex')) ?? -2)
      filelog.close()
      const content = hg(directory, 'cat', '-r', `${linkRev}`, `path:${path}`)
      expect(Buffer.compare(content, parseFileText(text).content)).toBe(0)
    }
    repository.close()
    hg(directory, 'update', '-q', 'tip')
    expect(hg(directory, 'status').toString()).toBe('')
    hg(directory, 'tag', '-u', 'somebody', 'here')
    expect(hg(directory, 'verify', '-q').toString()).toBe('')
    expect(hg(directory, 'log', '-r', 'here', '-T', '{rev}').toString()).toBe(`${tip}`)
  })

  it('named branches, drafts, copies, links and executable files are what hg shows', () => {
    const pypy = join(scratch, 'pypy-like')
    expect(hg(pypy, 'branches', '--closed').toString().trim().split('\n').length).toBeGreaterThan(3)
    const mozilla = join(scratch, 'mozilla-try-like')
    const drafts = hg(mozilla, 'log', '-r', 'draft() and head()', '-T', 'x').length
    expect(drafts).toBeGreaterThan(10)
    expect(hg(mozilla, 'log', '-r', 'public() and children(draft())', '-T', 'x').toString()).toBe(
      '',
    )
    const netbeans = join(scratch, 'netbeans-like')
    expect(hg(netbeans, 'log', '-C', '-T', '{file_copies}').length).toBeGreaterThan(0)
    const kinds = hg(netbeans, 'manifest', '-v', '-r', 'tip').toString()
    expect(kinds).toMatch(/^755 \* /m)
    expect(hg(netbeans, 'log', '-r', 'merge()', '-T', 'x').length).toBeGreaterThan(100)
  })
})
