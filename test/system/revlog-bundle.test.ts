/** Bundles between hg and the revlog program, each reading what the other wrote. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRepository, prepareExtra, writeBundle2, writeBundleFile } from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { branchyHistory, hg, hgEnvironment, program, revlog } from '../support/revlog-against-hg.ts'

let scratch = ''
let source = ''

const LOG = ['log', '-r', 'all()', '-T', '{node} {p1node} {p2node} {branch} {files}\n']

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-bundle-'))
  source = join(scratch, 'source')
  mkdirSync(source)
  const script = `${branchyHistory}
    hg phase -qp 2; hg bookmark here`
  execFileSync('bash', ['-c', script], { cwd: source, env: hgEnvironment() })
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('made by hg', () => {
  test.each(['none-v1', 'gzip-v1', 'bzip2-v1', 'none-v2', 'gzip-v2', 'bzip2-v2', 'zstd-v2'])(
    '%s: debugbundle prints what hg prints',
    (type) => {
      const file = join(scratch, `hg-${type}`)
      const phases = ['--config', 'experimental.bundle-phases=yes']
      expect(hg(source, ['bundle', '-qat', type, file, ...phases]).status).toBe(0)
      const args = ['debugbundle', '--all', file]
      expect(revlog(source, args).stdout.toString()).toBe(hg(source, args).stdout.toString())
      const short = ['debugbundle', file]
      expect(revlog(source, short).stdout.toString()).toBe(hg(source, short).stdout.toString())
    },
  )

  test('changegroup 03 holds what 02 holds', () => {
    // Not set against hg's debugbundle, which of version 03 (in 6.3) leaves the files out.
    const version3 = ['--config', 'experimental.changegroup3=yes']
    const [file2, file3] = [join(scratch, 'hg-v2'), join(scratch, 'hg-v3')]
    expect(hg(source, ['bundle', '-qat', 'none-v2', file2]).status).toBe(0)
    expect(hg(source, ['bundle', '-qat', 'none-v2;cg.version=03', file3, ...version3]).status).toBe(
      0,
    )
    const [list2, list3] = [file2, file3].map((file) =>
      revlog(source, ['debugbundle', '--all', file]).stdout.toString(),
    )
    expect(list3).toContain('version: 03')
    expect(list3?.replace('version: 03', 'version: 02')).toBe(list2)
  })
})

describe('made here', () => {
  test.each(['none-v1', 'gzip-v1', 'none-v2', 'gzip-v2', 'zstd-v2'])(
    '%s: hg lists it and unbundles it to the same history',
    (type) => {
      const file = join(scratch, `own-${type}`)
      const made = revlog(source, ['bundle', '-at', type, file])
      expect([made.stdout.toString(), made.status]).toEqual(['8 changesets found\n', 0])
      const listing = hg(source, ['debugbundle', '--all', file]).stdout.toString()
      expect(revlog(source, ['debugbundle', '--all', file]).stdout.toString()).toBe(listing)
      const target = join(scratch, `into-${type}`)
      hg(scratch, ['init', target])
      expect(hg(target, ['unbundle', '-q', file]).stderr.toString()).toBe('')
      expect(hg(target, ['verify', '-q']).status).toBe(0)
      expect(hg(target, LOG).stdout.toString()).toBe(hg(source, LOG).stdout.toString())
    },
  )

  test.each(['1', '4', '6'])(
    'with --base %s a repository that has only that can take it',
    (base) => {
      const file = join(scratch, `base-${base}`)
      const target = join(scratch, `from-${base}`)
      const args = ['bundle', '--base', base, '-t', 'none-v1']
      const own = revlog(source, [...args, file])
      const theirs = hg(source, [...args, `${file}-hg`])
      expect([own.stdout.toString(), own.status]).toEqual([theirs.stdout.toString(), 0])
      // Version 1 leaves no choice of what is sent and in which order, nor of the delta's base.
      const list = (name: string) => hg(source, ['debugbundle', '--all', name]).stdout.toString()
      expect(list(file)).toBe(list(`${file}-hg`))
      hg(scratch, ['clone', '-qUr', base, source, target])
      expect(hg(target, ['unbundle', '-q', file]).stderr.toString()).toBe('')
      expect(hg(target, ['verify', '-q']).status).toBe(0)
    },
  )

  test('against another repository: what that one lacks', () => {
    const [file, target] = [join(scratch, 'lacking'), join(scratch, 'clone')]
    expect(revlog(scratch, ['clone', '-Ur', '4', source, target]).stderr.toString()).toBe('')
    expect(hg(target, ['verify', '-q']).status).toBe(0)
    const args = ['bundle', '-t', 'none-v1']
    const [own, theirs] = [
      revlog(source, [...args, file, target]),
      hg(source, [...args, `${file}-hg`, target]),
    ]
    expect([own.stdout.toString(), own.status]).toEqual([theirs.stdout.toString(), 0])
    expect(readFileSync(file).equals(readFileSync(`${file}-hg`))).toBe(true)
    hg(target, ['unbundle', '-q', file])
    expect(hg(target, LOG).stdout.toString()).toBe(hg(source, LOG).stdout.toString())
  })

  test('clone without -r has everything, and its format', () => {
    const target = join(scratch, 'whole')
    expect(revlog(scratch, ['clone', '-U', source, target]).status).toBe(0)
    expect(hg(target, ['verify', '-q']).status).toBe(0)
    const names = [...LOG.slice(0, -1), '{node} {phase} {bookmarks}\n']
    expect(hg(target, names).stdout.toString()).toBe(hg(source, names).stdout.toString())
    expect(revlog(scratch, ['clone', '-U', source, target]).stderr.toString()).toContain(
      'not empty',
    )
  })

  test('nothing to send is said as hg says it', () => {
    const file = join(scratch, 'nothing')
    const { stdout, status } = revlog(source, ['bundle', '--base', 'tip', '--base', '6', file])
    expect([stdout.toString(), status]).toEqual(['no changes found\n', 1])
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })
})

describe('the inputs of a measured unbundle', () => {
  test.each([1, 3, 8])(
    'without %i changesets, and the bundle with them: together the whole',
    (extra) => {
      const repositoryPath = join(scratch, `without-${extra}`)
      const bundlePath = join(scratch, `extra-${extra}`)
      const opened = openRepository(source, { mode: 'no-mmap' })
      const prepared = prepareExtra({ source: opened, extra, repositoryPath, bundlePath })
      opened.close()
      expect(prepared).toEqual({ keptChangesets: 8 - extra, extraChangesets: extra })
      expect(hg(repositoryPath, ['verify', '-q']).stderr.toString()).toBe('')
      expect(hg(repositoryPath, ['unbundle', '-q', bundlePath]).stderr.toString()).toBe('')
      expect(hg(repositoryPath, ['verify', '-q']).status).toBe(0)
      expect(hg(repositoryPath, LOG).stdout.toString()).toBe(hg(source, LOG).stdout.toString())
    },
  )

  test('a folder that has a repository is left alone', () => {
    const taken = join(scratch, 'taken')
    cpSync(source, taken, { recursive: true })
    const opened = openRepository(source, { mode: 'no-mmap' })
    const options = {
      source: opened,
      extra: 1,
      repositoryPath: taken,
      bundlePath: join(scratch, 'x'),
    }
    expect(() => prepareExtra(options)).toThrow('not empty')
    opened.close()
    expect(hg(taken, LOG).stdout.toString()).toBe(hg(source, LOG).stdout.toString())
  })
})

test.each([
  ['outgoing', 'source', 'part'],
  ['outgoing', 'part', 'source'],
  ['incoming', 'part', 'source'],
  ['incoming', 'source', 'part'],
])('%s from %s with %s lists what hg lists', (command, here, there) => {
  const part = join(scratch, 'part')
  hg(scratch, ['clone', '-qUr', '4', source, part])
  for (const form of [[], ['-q'], ['-l', '2'], ['-T', '{rev} {node}\n']]) {
    const args = [command, ...form, join(scratch, there)]
    const [ours, theirs] = [revlog(join(scratch, here), args), hg(join(scratch, here), args)]
    expect([ours.stdout.toString(), ours.status]).toEqual([theirs.stdout.toString(), theirs.status])
  }
})

test('memory does not grow with what a bundle unpacks to', () => {
  const file = join(scratch, 'bomb')
  const piece = new Uint8Array(1 << 20)
  const payload = Array.from({ length: 600 }, () => piece)
  writeBundleFile(file, writeBundle2([{ name: 'filler', payload }], 'zstd'))
  const script = `
    import { openSync } from 'node:fs'
    import { descriptorInput, openBundle } from '@assay/revlog'
    let bytes = 0
    for (const { payload } of openBundle(descriptorInput(openSync(process.argv[1], 'r'), 'x')).parts()) {
      for (let part = payload.readSome(65536); part.length > 0; part = payload.readSome(65536)) bytes += part.length
    }
    console.log(JSON.stringify({ bytes, peakRssBytes: process.resourceUsage().maxRSS * 1024 }))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, file],
    { cwd: import.meta.dirname },
  )
  expect(stderr.toString()).toBe('')
  const { bytes, peakRssBytes } = JSON.parse(stdout.toString())
  expect(bytes).toBe(600 << 20)
  expect(peakRssBytes).toBeLessThan(250 << 20)
})

test('without native libraries gzip and zstd are still read, aloud; bzip2 names its package', () => {
  // Where the program lies alone there is no koffi to be found.
  const alone = join(scratch, 'alone.cjs')
  cpSync(program, alone)
  const list = (type: string) => {
    const file = join(scratch, `alone-${type}`)
    hg(source, ['bundle', '-qat', type, file])
    const ours = spawnSync(process.execPath, [alone, 'debugbundle', '-a', file], { cwd: source })
    return { ours, theirs: hg(source, ['debugbundle', '-a', file]).stdout.toString() }
  }
  for (const type of ['gzip-v1', 'zstd-v2']) {
    const { ours, theirs } = list(type)
    expect([ours.status, ours.stdout.toString()]).toEqual([0, theirs])
    expect(ours.stderr.toString()).toMatch(/^warning: .* is taken into memory whole: .*\n$/)
  }
  const { ours } = list('bzip2-v2')
  expect(ours.status).toBe(255)
  expect(ours.stderr.toString()).toContain('install the package libbz2-1.0')
})

test('a damaged bundle ends with a message and its place', () => {
  const file = join(scratch, 'damaged')
  revlog(source, ['bundle', '-qat', 'gzip-v2', file])
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.subarray(0, bytes.length - 40))
  const { stderr, status } = revlog(source, ['debugbundle', '-a', file])
  expect(status).toBe(255)
  expect(stderr.toString()).toMatch(/^abort: .*damaged: ends at byte \d+/)
})
