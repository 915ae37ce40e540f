/** Persistent nodemaps: what is put in is found, and what cannot be trusted is not. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@assay/model'
import {
  type AccessRecord,
  applyBundle,
  bytesInput,
  createRepository,
  findOutgoing,
  followDigits,
  growTrie,
  headRevs,
  type NodesByRev,
  openBundle,
  openRepository,
  parseDocket,
  resolveInRevlog,
  serializeDocket,
  updateStore,
  writeBundle,
} from '@assay/revlog'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from './reader-build-revlog.ts'

let scratch = ''
let root = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-nodemap-'))
  root = join(scratch, 'history')
  writeHistory(root, 0, 300)
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('the tree', () => {
  const wanted = { node: fc.uint8Array({ minLength: 20, maxLength: 20 }) }

  test('finds every node, and by every prefix what begins with it', () => {
    // Few different digits, so that many nodes begin alike.
    const alike = fc.array(fc.constantFrom(0x00, 0x01, 0x10, 0xff), {
      minLength: 20,
      maxLength: 20,
    })
    const nodes = fc.uniqueArray(
      fc.oneof(
        alike.map((bytes) => Uint8Array.from(bytes)),
        wanted.node,
      ),
      {
        selector: (node) => Buffer.from(node).toString('hex'),
        maxLength: 40,
      },
    )
    const property = fc.property(
      nodes,
      fc.nat(40),
      fc.integer({ min: 1, max: 39 }),
      (all, cut, digits) => {
        const first = nodesOf(all.slice(0, cut))
        const tree = growTrie(nodesOf(all), { blocks: growTrie(first), length: first.length })
        const blocks = new DataView(tree.buffer, tree.byteOffset, tree.length)
        all.forEach((node, rev) => {
          expect(followDigits(blocks, node, 40)).toBe(rev)
          const alikes = all.filter((other) => hex(other).startsWith(hex(node).slice(0, digits)))
          expect(followDigits(blocks, node, digits)).toBe(alikes.length > 1 ? 'several' : rev)
        })
      },
    )
    fc.assert(property, { numRuns: 100, seed: 1 })
  })

  test('of damaged data every step is checked: a revision, nothing, or an error', () => {
    const tree = growTrie(nodesOf(randomNodes(200)))
    const property = fc.property(fc.nat(), fc.nat(255), wanted.node, (where, byte, node) => {
      const bytes = Uint8Array.from(tree)
      bytes[where % bytes.length] = byte
      const blocks = new DataView(bytes.buffer)
      const code = codeOf(() => followDigits(blocks, node, 40))
      expect(['nothing thrown', 'corrupt']).toContain(code)
      const grown = codeOf(() =>
        growTrie(nodesOf(randomNodes(210)), { blocks: bytes, length: 200 }),
      )
      expect(['nothing thrown', 'corrupt']).toContain(grown)
    })
    fc.assert(property, { numRuns: 200, seed: 2 })
  })
})

describe('the docket', () => {
  const docket = {
    uid: 'abcdef01',
    tipRev: 7,
    tipNode: new Uint8Array(20).fill(9),
    dataLength: 128,
    dataUnused: 64,
  }

  test('is read as it was written', () => {
    expect(parseDocket(serializeDocket(docket), 'x.n')).toEqual(docket)
  })

  test('is refused when it is cut short, of another version, or names a path', () => {
    const bytes = serializeDocket(docket)
    for (let keep = 0; keep < bytes.length; keep++) {
      expect(codeOf(() => parseDocket(bytes.subarray(0, keep), 'x.n'))).toBe('corrupt')
    }
    expect(codeOf(() => parseDocket(Uint8Array.of(2, 8, ...bytes.slice(2)), 'x.n'))).toBe(
      'unknown-format',
    )
    const away = serializeDocket({ ...docket, uid: '../../ab' })
    expect(codeOf(() => parseDocket(away, 'x.n'))).toBe('corrupt')
  })
})

describe('in a repository', () => {
  test('is opened by the first look-up, in the access mode, and finds what a search finds', () => {
    for (const mode of ['no-mmap', 'mmap-no-populate', 'mmap-populate'] as const) {
      const records: AccessRecord[] = []
      const repository = openRepository(root, {
        mode,
        mmapThreshold: 1,
        onAccess: (one) => records.push(one),
      })
      const { changelog } = repository
      expect(records).toHaveLength(1)
      for (const rev of [0, 150, 299]) {
        expect(changelog.findRev(changelog.node(rev))).toBe(rev)
        expect(resolveInRevlog(changelog, changelog.nodeHex(rev).slice(0, 12))).toBe(rev)
      }
      expect(changelog.findRev(new Uint8Array(20).fill(1))).toBeUndefined()
      expect(records.map(({ file }) => file.slice(-3))).toEqual(['g.i', '.nd'])
      expect(records[1]).toMatchObject({ mode, used: mode === 'no-mmap' ? 'read' : 'mmap' })
      expect(codeOf(() => resolveInRevlog(changelog, 'a'))).toBe('ambiguous-prefix')
      repository.close()
      expect(codeOf(() => changelog.findRev(new Uint8Array(20).fill(1)))).toBe('closed')
    }
  })

  test('goes with the changesets that a bundle brings, and back with a rollback', () => {
    const target = join(scratch, 'target')
    writeHistory(target, 0, 290)
    const bundle = bundleFrom(root, 289)
    const before = nodemapFiles(target)
    const failing = () =>
      apply(target, bundle, () => {
        throw new Error('stop')
      })
    expect(failing).toThrow('stop')
    expect(nodemapFiles(target)).toEqual(before)
    apply(target, bundle)
    expect(nodemapFiles(target)).toHaveLength(before.length)
    const { opened, found } = lookUp(target, 299)
    expect([opened, found]).toEqual([true, 299])
    const docket = parseDocket(readFileSync(join(target, '.hg/store/00changelog.n')), 'n')
    expect(docket).toMatchObject({ tipRev: 299, dataUnused: 0 })
  })

  test('of a shorter index is used, of another or longer one is not; nothing is lost by that', () => {
    const store = (path: string, name: string): string => join(path, '.hg/store', name)
    const [short, long, other] = ['short', 'long', 'other'].map((name) => join(scratch, name))
    for (const path of [short, long, other]) writeHistory(path ?? '', path === other ? 1 : 0, 300)
    const docketOf = (count: number, seed: number): Buffer => {
      const path = join(scratch, `docket-${count}-${seed}`)
      writeHistory(path, seed, count)
      const data = nodemapFiles(path)[0] ?? ''
      for (const to of [short, long, other]) {
        writeFileSync(store(to ?? '', data), readFileSync(store(path, data)))
      }
      return readFileSync(store(path, '00changelog.n'))
    }
    writeFileSync(store(short ?? '', '00changelog.n'), docketOf(200, 0))
    writeFileSync(store(long ?? '', '00changelog.n'), docketOf(310, 0))
    writeFileSync(store(other ?? '', '00changelog.n'), docketOf(300, 0))
    expect([short, long, other].map((path) => lookUp(path ?? '', 250))).toEqual([
      { opened: true, found: 250 },
      { opened: false, found: 250 },
      { opened: false, found: 250 },
    ])
  })

  test('that is damaged never names a wrong revision', () => {
    const copy = join(scratch, 'damaged')
    writeHistory(copy, 0, 300)
    const data = join(copy, '.hg/store', nodemapFiles(copy)[0] ?? '')
    const whole = readFileSync(data)
    const property = fc.property(fc.nat(), fc.nat(255), fc.nat(299), (where, byte, rev) => {
      const bytes = Uint8Array.from(whole)
      bytes[where % bytes.length] = byte
      writeFileSync(data, bytes)
      expect([undefined, rev]).toContain(lookUp(copy, rev).found)
    })
    fc.assert(property, { numRuns: 60, seed: 3 })
    writeFileSync(data, whole.subarray(0, 64))
    expect(lookUp(copy, 7)).toEqual({ opened: false, found: 7 })
    rmSync(data)
    expect(lookUp(copy, 7)).toEqual({ opened: false, found: 7 })
  })
})

function hex(node: Uint8Array): string {
  return Buffer.from(node).toString('hex')
}

function nodesOf(nodes: readonly Uint8Array[]): NodesByRev {
  return { length: nodes.length, node: (rev) => nodes[rev] ?? new Uint8Array(20) }
}

function randomNodes(count: number): Uint8Array[] {
  const random = seededRandom('nodes')
  return Array.from({ length: count }, () => Uint8Array.from({ length: 20 }, () => random() * 256))
}

/** Changesets with messages so long that the changelog's data leaves its index. */
function writeHistory(path: string, seed: number, count: number): void {
  const writer = createRepository(path, { persistentNodemap: true, compression: 'none' })
  for (let n = 0; n < count; n++) {
    writer.commit({
      p1: n - 1,
      p2: -1,
      user: 'u',
      time: n + seed,
      timezoneSeconds: 0,
      description: `${n} `.padEnd(700, 'x'),
      files: [],
    })
  }
  writer.close()
}

/** The data files of nodemaps. */
function nodemapFiles(path: string): string[] {
  return readdirSync(join(path, '.hg/store')).filter((name) => name.endsWith('.nd'))
}

/** Looks a changeset's node up, and says whether a nodemap was opened for it. */
function lookUp(path: string, rev: number): { opened: boolean; found: number | undefined } {
  const opened: string[] = []
  const repository = openRepository(path, {
    mode: 'no-mmap',
    onAccess: ({ file }) => opened.push(file),
  })
  try {
    const { changelog } = repository
    const found = changelog.findRev(changelog.node(rev))
    return { opened: opened.some((file) => file.endsWith('.nd')), found }
  } finally {
    repository.close()
  }
}

function bundleFrom(path: string, base: number): Buffer {
  const repository = openRepository(path, { mode: 'no-mmap' })
  try {
    const { index } = repository.changelog
    const outgoing = findOutgoing(index, { bases: [base], heads: headRevs(index) })
    return Buffer.concat([...writeBundle({ repository, outgoing, type: 'none-v2', phases: true })])
  } finally {
    repository.close()
  }
}

function apply(path: string, bundle: Buffer, then = (): void => undefined): void {
  updateStore({ root: path, access: { mode: 'no-mmap' }, description: 'test' }, (update) => {
    applyBundle(update, openBundle(bytesInput(bundle)))
    then()
  })
}
