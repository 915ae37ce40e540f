/**
 * Datasets from real repositories by real hg and git: copied, cloned, converted, brought into other
 * storage formats; and what becomes of them when something ends, fails or is hostile.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { prepareDataset } from '@assay/bench'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { assay, assayProgram } from '../support/programs.ts'

const environment = {
  ...{ PATH: process.env['PATH'], HGRCPATH: '', HGPLAIN: '1', LC_ALL: 'C', TZ: 'UTC' },
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
}
const slow = ['storage.revlog.persistent-nodemap', 'storage.dirstate-v2'].flatMap((name) => [
  ...['--config', `${name}.slow-path=allow`],
])
const hg = (repository: string, ...args: readonly string[]): string =>
  execFileSync('hg', ['-R', repository, ...slow, ...args], { env: environment, encoding: 'utf8' })

/** Made once, read by all: three changesets in hg, two in git. */
let originals = ''
const original = () => join(originals, 'hg')
beforeAll(() => {
  originals = mkdtempSync(join(tmpdir(), 'assay-originals-'))
  execFileSync('hg', ['init', original()], { env: environment })
  for (const number of [1, 2, 3]) {
    const lines = Array.from({ length: 200 }, (_, line) => `line ${line} of ${number}\n`)
    writeFileSync(join(original(), 'file'), lines.join(''))
    hg(original(), 'commit', '-qA', '-m', `change ${number}`, '-u', 'me', '-d', `${number} 0`)
  }
  // Whoever runs hg in a dataset must not run this.
  const hooks = ['pre-clone', 'outgoing', 'pre-serve', 'pre-convert', 'pre-debugupgraderepo']
  const lines = hooks.map((name) => `${name}.mine = touch ${originals}/executed\n`)
  writeFileSync(join(original(), '.hg/hgrc'), `[hooks]\n${lines.join('')}`)
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: join(originals, 'git'), env: environment })
  mkdirSync(join(originals, 'git'))
  git('init', '-q', '-b', 'main')
  for (const number of [1, 2]) {
    for (const file of ['a', 'b', 'c', 'd', 'e']) {
      writeFileSync(join(originals, 'git', file), `${number}\n`)
    }
    git('add', '.')
    git('-c', 'user.name=me', '-c', 'user.email=me@example.com', 'commit', '-qm', `${number}`)
  }
})
afterAll(() => rmSync(originals, { recursive: true }))

let root = ''
let cache = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-datasets-'))
  cache = join(root, 'cache')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

interface Change {
  readonly options?: Readonly<Record<string, readonly string[]>>
  readonly format?: readonly string[]
  readonly digest?: string
}
const prepare = (kind: string, location: string, { options = {}, ...change }: Change = {}) =>
  prepareDataset({
    spec: { name: 'n', format: [], ...change, source: { kind, location, options } },
    cacheDirectory: cache,
  })
const code = (value: string) => expect.objectContaining({ code: value })
const nodes = (repository: string) => hg(repository, 'log', '-T', '{rev} {node} {phase}\\n')
const leftBehind = () => (existsSync(cache) ? readdirSync(cache) : [])

/** A folder with a `hg` of ours before the real one. */
const hgBefore = (script: string): string => {
  const folder = join(root, 'bin')
  mkdirSync(folder, { recursive: true })
  const real = execFileSync('sh', ['-c', 'command -v hg'], { encoding: 'utf8' }).trim()
  writeFileSync(join(folder, 'hg'), `#!/bin/sh\n${script.replaceAll('REAL', real)}\n`)
  chmodSync(join(folder, 'hg'), 0o755)
  return `${folder}:${process.env['PATH']}`
}

describe('a dataset from a repository', () => {
  it('a path: its history as it is, without its configuration; copied once', async () => {
    const made = await prepare('path', original())
    expect(nodes(made.directory)).toBe(nodes(original()))
    expect(made).toMatchObject({ revisions: 3, files: 1 })
    expect(existsSync(join(made.directory, '.hg/hgrc'))).toBe(false)
    expect(readdirSync(made.directory)).toEqual(['.hg'])
    expect((await prepare('path', original())).digest).toBe(made.digest)
    expect(leftBehind()).toHaveLength(1)
  })

  it('a clone: at the revisions that are named', async () => {
    const made = await prepare('clone', original(), { options: { revisions: ['1'] } })
    expect(made.revisions).toBe(2)
    expect(existsSync(join(originals, 'executed'))).toBe(false)
    hg(made.directory, 'verify', '-q')
  })

  it('git: converted, the same bytes each time', async () => {
    const [one, other] = [{}, { options: { revisions: ['main'] } }]
    const made = await prepare('git', join(originals, 'git'), one)
    expect(hg(made.directory, 'log', '-T', '{desc}\\n')).toBe('2\n1\n')
    expect((await prepare('git', join(originals, 'git'), other)).digest).toBe(made.digest)
  })

  it.each<[readonly string[], string]>([
    [['zlib', 'sparse-revlog'], 'src-zlib-sparse-revlog'],
    [['none', 'no-share-safe'], 'src-none-no-share-safe'],
    [['zlib', 'no-generaldelta'], 'src-zlib-no-generaldelta'],
    [['zstd', 'sparse-revlog', 'dirstate-v2', 'persistent-nodemap'], 'src-ds2-pnm'],
  ])('%j: another format of the same history, which hg confirms', async (format, name) => {
    const source = join(root, 'src')
    execFileSync('cp', ['-a', original(), source])
    const made = await prepare('path', source, { format })
    expect(nodes(made.directory)).toBe(nodes(original()))
    hg(made.directory, 'verify', '-q')
    expect(made.directory).toContain(`/${name}-`)
    const shown: unknown = JSON.parse(hg(made.directory, 'debugformat', '-T', 'json'))
    const has = (tag: string) => format.includes(tag)
    const wanted = [
      { name: 'compression', repo: format[0] },
      { name: 'generaldelta', repo: !has('no-generaldelta') },
      { name: 'share-safe', repo: !has('no-share-safe') },
      { name: 'sparserevlog', repo: has('sparse-revlog') },
      { name: 'dirstate-v2', repo: has('dirstate-v2') },
      { name: 'persistent-nodemap', repo: has('persistent-nodemap') },
    ]
    expect(shown).toEqual(expect.arrayContaining(wanted.map((one) => expect.objectContaining(one))))
  })

  it('the digest that a campaign names is what is measured, or nothing is', async () => {
    await expect(prepare('path', original(), { digest: '0'.repeat(64) })).rejects.toThrow(
      code('dataset-digest-other'),
    )
    expect(leftBehind()).toEqual([])
    const { digest } = await prepare('path', original())
    await expect(prepare('path', original(), { digest })).resolves.toMatchObject({ digest })
    await expect(prepare('path', original(), { digest: '0'.repeat(64) })).rejects.toThrow(
      code('dataset-digest-other'),
    )
  })
})

describe('a hostile or hopeless source', () => {
  it.each<[string, string, Change, string]>([
    [
      'clone',
      'HG',
      { options: { revisions: ['--config=alias.clone=!touch ROOT/executed'] } },
      'wants an id',
    ],
    ['clone', 'ssh://-oProxyCommand=touch%20ROOT%2Fexecuted/x', {}, 'is no name of a host'],
    ['clone', 'ssh://me:secret@host/x', {}, 'it has a password'],
    ['clone', 'bundle:/etc/passwd', {}, 'colon in its first part'],
    ['git', 'ext::touch ROOT/executed', {}, 'colon in its first part'],
    ['git', 'ext://touch', {}, 'write a path or a URL of git, http, https, ssh'],
    ['git', '--upload-pack=touch ROOT/executed', {}, 'begins as an option does'],
    ['clone', 'http://127.0.0.1:1/x', {}, 'Connection refused'],
    ['clone', '/no/such/repository', {}, 'not found'],
    ['clone', 'HG', { options: { revisions: ['nosuch'] } }, "unknown revision 'nosuch'"],
    ['path', '/no/such/repository', {}, 'is no Mercurial repository'],
  ])('%s %s: an error, nothing executed, nothing left', async (kind, place, change, message) => {
    const location = place === 'HG' ? original() : place.replaceAll('ROOT', root)
    const revisions = change.options?.['revisions']?.map((one) => one.replaceAll('ROOT', root))
    const options = revisions === undefined ? {} : { revisions }
    await expect(prepare(kind, location, { options })).rejects.toThrow(message)
    expect(leftBehind()).toEqual([])
    expect(existsSync(join(root, 'executed'))).toBe(false)
  })

  it('without hg it says what to install', async () => {
    vi.stubEnv('PATH', join(root, 'nothing'))
    await expect(prepare('clone', original())).rejects.toThrow('apt install mercurial')
    expect(leftBehind()).toEqual([])
  })

  it('a path to a share, or with an interrupted transaction, is refused', async () => {
    const share = join(root, 'share')
    execFileSync('hg', ['--config', 'extensions.share=', 'share', '-qU', original(), share], {
      env: environment,
    })
    await expect(prepare('path', share)).rejects.toThrow('is a share')
    const broken = join(root, 'broken')
    execFileSync('cp', ['-a', original(), broken])
    writeFileSync(join(broken, '.hg/store/journal'), '')
    await expect(prepare('path', broken)).rejects.toThrow('interrupted transaction')
    expect(leftBehind()).toEqual([])
  })
})

describe('assay dataset', () => {
  it('prepares what a campaign names, lists, shows, verifies and removes it', async () => {
    writeFileSync(
      join(root, 'x.yaml'),
      `compare: { mode: [mmap-populate, no-mmap] }\nbenchmarks: [hg.command.log]\ndatasets: { mine: { path: hg, formats: [zlib, pnm] } }\n`,
    )
    execFileSync('cp', ['-a', original(), join(root, 'hg')])
    const run = async (...argv: string[]) => {
      const { stdout, stderr, exitCode } = await assay(root, 'dataset', ...argv)
      return { exitCode, printed: `${stdout}${stderr}` }
    }
    const prepared = await assay(root, 'dataset', 'prepare', 'x.yaml', '--json')
    const made: readonly { name: string; directory: string }[] = JSON.parse(prepared.stdout)
    expect(made.map(({ name }) => name)).toEqual(['mine-zlib', 'mine-pnm'])
    const listed = await run('list')
    expect(listed.printed).toMatch(/^hg-zlib-[0-9a-f]{12} +3 +[0-9.]+ kB +path .*\/hg$/m)
    expect(listed.printed).toMatch(/^3 datasets, [0-9.]+ kB in .*\.assay\/datasets$/m)
    expect((await run('show', 'hg-zlib')).printed).toMatch(
      /^source +as it was when it was copied$/m,
    )
    hg(join(root, 'hg'), 'commit', '-qm', 'more', '-u', 'me', '--config', 'ui.allowemptycommit=yes')
    const shown = (await run('show', 'hg-zlib')).printed
    expect(shown).toMatch(/^digest +[0-9a-f]{64}$/m)
    expect(shown).toMatch(/^source +has changed since it was copied/m)
    expect((await run('show', 'hg-')).printed).toContain('begins several ids')
    expect((await run('verify')).exitCode).toBe(0)

    const changed = join(made[0]?.directory ?? '', '.hg/store/00manifest.i')
    const bytes = readFileSync(changed)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(changed, bytes)
    const verified = await run('verify')
    expect(verified.exitCode).toBe(3)
    expect(verified.printed).toContain('its store has other bytes')
    const refused = await run('prepare', 'x.yaml')
    expect(refused).toMatchObject({ exitCode: 3 })
    expect(refused.printed).toContain('dataset-changed')
    expect((await run('remove', 'hg-zlib')).printed).toMatch(/^hg-zlib-\S+: [0-9.]+ kB freed$/m)
    expect((await run('prepare', 'x.yaml', '--json')).printed).toContain('"revisions": 3')
  })

  it('two that ask at once make it once, and both go on', async () => {
    // The real hg, counted; slow enough for both to be there.
    const path = hgBefore(`echo >>'${root}/calls'\nsleep 1\nexec REAL "$@"`)
    const ask = () =>
      execa(process.execPath, [assayProgram, 'dataset', 'prepare', `clone:${original()}`], {
        ...{ cwd: root, env: { PATH: path } },
      })
    const [one, other] = await Promise.all([ask(), ask()])
    expect(one.stdout).toBe(other.stdout)
    expect(readFileSync(join(root, 'calls'), 'utf8')).toBe('\n')
    expect(readdirSync(join(root, '.assay/datasets'))).toHaveLength(1)
  })

  it('killed at work, it leaves nothing that counts, and the next one clears it away', async () => {
    const path = hgBefore(`echo $$ >'${root}/pid'\nexec sleep 600`)
    const argv = [assayProgram, 'dataset', 'prepare', `clone:${original()}`]
    const killed = execa(process.execPath, argv, { cwd: root, env: { PATH: path }, reject: false })
    while (!existsSync(join(root, 'pid'))) await pause(20)
    killed.kill('SIGKILL')
    await killed
    const pid = readFileSync(join(root, 'pid'), 'utf8').trim()
    for (let looks = 0; existsSync(`/proc/${pid}`) && looks < 250; looks += 1) await pause(20)
    expect(existsSync(`/proc/${pid}`)).toBe(false)
    expect((await assay(root, 'dataset', 'list')).stdout).toMatch(/^0 datasets/)
    expect((await assay(root, ...argv.slice(1))).exitCode).toBe(0)
    expect(readdirSync(join(root, '.assay/datasets'))).toHaveLength(1)
  })
})

const mayMount = process.getuid?.() === 0

describe.skipIf(!mayMount)('a full disk', () => {
  it.each(['path', 'clone'])('%s: an error that says so, and nothing is left', async (kind) => {
    mkdirSync(cache)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', cache])
    } catch {
      return // A container may be root and yet not mount.
    }
    try {
      await expect(prepare(kind, original())).rejects.toThrow(/no space left/i)
      expect(leftBehind()).toEqual([])
    } finally {
      execFileSync('umount', [cache])
    }
  })
})
