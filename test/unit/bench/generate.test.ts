import {
  cpSync,
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
import {
  type DatasetRecipe,
  datasetDigest,
  generateDataset,
  prepareDataset,
  presets,
} from '@assay/bench'
import { openRepository, openRevlog } from '@assay/revlog'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-generate-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const small: DatasetRecipe = {
  preset: 'mercurial-like',
  scale: 0.002,
  format: ['zlib', 'sparse-revlog'],
  seed: 'seed',
}
const generate = async (name: string, change: Partial<DatasetRecipe> = {}) => {
  const directory = join(root, name)
  return { directory, ...(await generateDataset({ ...small, ...change, directory })) }
}
const code = (value: string) => expect.objectContaining({ code: value })

/** Parents of every changeset. */
const parentsOf = (directory: string): readonly (readonly [number, number])[] => {
  const repository = openRepository(directory, { mode: 'no-mmap' })
  const { changelog } = repository
  const parents = Array.from({ length: changelog.length }, (_, rev): [number, number] => {
    const { p1, p2 } = changelog.entry(rev)
    return [p1, p2]
  })
  repository.close()
  return parents
}

/** Every node of changelog and manifest, once their texts have been read and checked against them. */
const nodesOf = (directory: string): readonly string[] =>
  ['00changelog.i', '00manifest.i'].flatMap((name) => {
    const indexPath = join(directory, '.hg/store', name)
    const revlog = openRevlog({ indexPath, mode: 'no-mmap' })
    const nodes = Array.from({ length: revlog.length }, (_, rev) => {
      revlog.rawText(rev)
      return revlog.index.nodeHex(rev)
    })
    revlog.close()
    return nodes
  })
let plainNodes: readonly string[] | undefined

describe('generateDataset', () => {
  it('the same seed gives the same bytes, another seed others', async () => {
    const one = await generate('a')
    const same = await generate('b')
    const other = await generate('c', { seed: 'other' })
    expect(datasetDigest(same.directory)).toBe(datasetDigest(one.directory))
    expect(datasetDigest(other.directory)).not.toBe(datasetDigest(one.directory))
  })

  it('without compression the bytes are the same on every machine', async () => {
    // Changes with GENERATOR_VERSION, and only with it: prepared datasets are kept under it.
    const { directory } = await generate('a', { format: ['none', 'sparse-revlog'] })
    expect(datasetDigest(directory)).toBe(
      '6f42842d44742d89826fac4083da81f5a15e2c69b563a05e4fe757955ae10950',
    )
  })

  it.each(
    [
      ['zlib'],
      ['zstd'],
      ['none'],
      ['zlib', 'sparse-revlog', 'dirstate-v2'],
      ['zstd', 'sparse-revlog', 'generaldelta'],
      ['none', 'sparse-revlog'],
      ['zlib', 'no-generaldelta'],
      ['zstd', 'no-generaldelta'],
      ['none', 'no-generaldelta'],
    ].map((format) => ({ name: format.join(' '), format })),
  )('format $name holds the same history', async ({ format }) => {
    plainNodes ??= nodesOf((await generate('plain')).directory)
    expect(plainNodes.length).toBeGreaterThan(150)
    expect(nodesOf((await generate('other', { format })).directory)).toEqual(plainNodes)
  })

  it('a preset at a scale has the changesets, merges and heads that it says', async () => {
    for (const [name, scale] of [
      ['netbeans-like', 0.003],
      ['mozilla-try-like', 0.001],
      ['pypy-like', 0.008],
    ] as const) {
      const shape = presets.find((preset) => preset.name === name)?.shape(scale)
      const { directory, revisions } = await generate(name, { preset: name, scale })
      const parents = parentsOf(directory)
      expect(revisions).toBe(shape?.changesets)
      const merges = parents.filter(([, p2]) => p2 !== -1).length / revisions
      expect(merges).toBeGreaterThan(0.7 * (shape?.mergeRatio ?? 1))
      expect(merges).toBeLessThan(1.3 * (shape?.mergeRatio ?? 0))
      const inner = new Set(parents.flat())
      const heads = parents.filter((_, rev) => !inner.has(rev)).length
      expect(heads).toBeGreaterThanOrEqual(shape?.heads ?? 1000)
      expect(heads).toBeLessThanOrEqual((shape?.heads ?? 0) + 6)
    }
  })

  it('mozilla-try-like at scale 0.02 has an index above the size from which it is mapped', async () => {
    const preset = presets.find(({ name }) => name === 'mozilla-try-like')
    expect((preset?.shape(0.02).changesets ?? 0) * 64).toBeGreaterThan(1024 * 1024)
  })

  it('changelog-only has entries of 64 bytes and nothing else', async () => {
    const { directory, files } = await generate('c', { preset: 'changelog-only', scale: 0.003 })
    expect(files).toBe(0)
    expect(readFileSync(join(directory, '.hg/store/00changelog.i'))).toHaveLength(3000 * 64)
    expect(existsSync(join(directory, '.hg/store/00manifest.i'))).toBe(false)
  })

  it('progress counts up to the number of changesets', async () => {
    const seen: number[] = []
    const { revisions } = await generateDataset({
      ...small,
      directory: join(root, 'p'),
      onProgress: (done, total) => seen.push(done / total),
    })
    expect(seen.length).toBeGreaterThan(10)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(seen.at(-1)).toBe(1)
    expect(revisions).toBeGreaterThan(10)
  })

  it('an unknown or contradictory format, preset or scale is refused by name', async () => {
    await expect(generate('x', { format: ['zstd', 'treemanifest'] })).rejects.toThrow(
      /treemanifest.*sparse-revlog/,
    )
    await expect(generate('x', { format: ['lz4'] })).rejects.toThrow(
      code('dataset-format-unsupported'),
    )
    for (const format of [
      ['zlib', 'zstd'],
      ['no-generaldelta', 'sparse-revlog'],
    ]) {
      await expect(generate('x', { format })).rejects.toThrow(code('dataset-format-contradictory'))
    }
    await expect(generate('x', { preset: 'svn-like' })).rejects.toThrow(
      code('dataset-preset-unknown'),
    )
    for (const scale of [0, -1, Number.NaN]) {
      await expect(generate('x', { scale })).rejects.toThrow(code('dataset-scale-invalid'))
    }
    expect(readdirSync(root)).toEqual([])
  })

  it('a folder that exists is left alone', async () => {
    mkdirSync(join(root, 'there'))
    await expect(generate('there')).rejects.toThrow(code('dataset-directory-exists'))
    expect(readdirSync(root)).toEqual(['there'])
  })

  it('an interruption leaves nothing, and what a killed process left is cleared', async () => {
    const stop = () => {
      throw new Error('stop')
    }
    const options = { ...small, directory: join(root, 'd') }
    await expect(generateDataset({ ...options, onProgress: stop })).rejects.toThrow('stop')
    expect(readdirSync(root)).toEqual([])
    // No process has this number: it is above the kernel's limit.
    mkdirSync(join(root, 'd.partial-99999999'))
    await generateDataset(options)
    expect(readdirSync(root)).toEqual(['d'])
  })
})

describe('a generation whose signal aborts', () => {
  it('lets timers run meanwhile, stops soon, and leaves nothing', async () => {
    const calledOff = new AbortController()
    const seen: number[] = []
    const prepared = prepareDataset({
      ...{ spec: { ...small, scale: 1 }, cacheDirectory: root, signal: calledOff.signal },
      onProgress: (done, total) => {
        seen.push(done / total)
        setTimeout(() => calledOff.abort(new Error('called off')), 1)
      },
    })
    await expect(prepared).rejects.toThrow('called off')
    expect(seen.at(-1)).toBeLessThan(0.5)
    expect(readdirSync(root)).toEqual([])
  })
})

describe('prepareDataset', () => {
  const prepare = (spec = small, onProgress?: () => void) =>
    prepareDataset({
      spec,
      cacheDirectory: root,
      ...(onProgress === undefined ? {} : { onProgress }),
    })
  const never = () => {
    throw new Error('generated again')
  }

  it('generates once and reuses, whatever the order of the format tags', async () => {
    const first = await prepare()
    const again = await prepare({ ...small, format: ['sparse-revlog', 'zlib'] }, never)
    expect(again).toEqual(first)
    expect(first.digest).toBe(datasetDigest(first.directory))
    await expect(prepare({ ...small, seed: 'other' }, never)).rejects.toThrow('generated again')
    expect(readdirSync(root)).toHaveLength(1)
  })

  it('a store that was written into is refused', async () => {
    const { directory } = await prepare()
    const path = join(directory, '.hg/store/00manifest.i')
    const bytes = readFileSync(path)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(path, bytes)
    await expect(prepare(small, never)).rejects.toThrow(code('dataset-changed'))
    rmSync(path)
    await expect(prepare(small, never)).rejects.toThrow(code('dataset-changed'))
  })

  it('a store with a file more is refused, working files and caches do not count', async () => {
    const { directory } = await prepare()
    writeFileSync(join(directory, '.hg/cache/tags2'), 'x')
    writeFileSync(join(directory, 'working-file'), 'x')
    await prepare(small, never)
    writeFileSync(join(directory, '.hg/store/extra'), 'x')
    await expect(prepare(small, never)).rejects.toThrow(code('dataset-changed'))
  })

  it('a copy with other times but the same bytes is accepted', async () => {
    const { directory, digest } = await prepare()
    cpSync(directory, join(root, 'copy'), { recursive: true })
    rmSync(directory, { recursive: true })
    cpSync(join(root, 'copy'), directory, { recursive: true })
    expect((await prepare(small, never)).digest).toBe(digest)
  })
})
