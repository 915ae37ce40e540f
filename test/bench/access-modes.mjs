/**
 * What the four access modes cost and save on a 64 MB index (1,000,000 revisions): on disk and in
 * memory (tmpfs), warm and cold, for three patterns; a fresh process each, interleaved.
 *
 *   node test/bench/access-modes.mjs [--rounds N] [--revisions N] [--disk FOLDER] [--memory FOLDER]
 *
 * Run it after `npm run build`. Cold: the file's own pages are dropped before each sample (tmpfs
 * has no cold state).
 */
import { cpSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDataset } from '@assay/bench'
import { childEnvironment, openLauncher } from '@assay/measure'
import koffi from 'koffi'
import { interleave, median, printTable } from './table.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    revisions: { type: 'string', default: '1000000' },
    disk: { type: 'string', default: '/var/tmp' },
    memory: { type: 'string', default: '/dev/shm' },
  },
})
const rounds = Number(values.rounds)
const revisions = Number(values.revisions)
const child = new URL('access-index.mjs', import.meta.url).pathname
const modes = ['no-mmap', 'mmap-no-populate', 'mmap-populate', 'mmap-populate-thread']
const patterns = ['last 1000', '20,000 random', 'full scan']

const disk = mkdtempSync(join(values.disk, 'assay-bench-'))
const memory = mkdtempSync(join(values.memory, 'assay-bench-'))
const repository = join(disk, 'repository')
await generateDataset({
  ...{ preset: 'changelog-only', scale: revisions / 1_000_000, format: ['zstd'], seed: '1' },
  directory: repository,
})
const onDisk = join(repository, '.hg/store/00changelog.i')
const inMemory = join(memory, '00changelog.i')
cpSync(onDisk, inMemory)

// fdatasync(2) and posix_fadvise(2) with POSIX_FADV_DONTNEED (4) drop clean pages of one file.
const libc = koffi.load('libc.so.6')
const fdatasync = libc.func('int fdatasync(int fd)')
const fadvise = libc.func('int posix_fadvise(int fd, int64_t offset, int64_t length, int advice)')
const fd = openSync(onDisk, 'r')
const dropPages = () => {
  fdatasync(fd)
  fadvise(fd, 0, 0, 4)
}

const places = [
  { place: 'disk, warm', path: onDisk, before: () => readFileSync(onDisk).length },
  { place: 'disk, cold', path: onDisk, before: dropPages },
  { place: 'tmpfs, warm', path: inMemory, before: () => 0 },
]

const launcher = await openLauncher({ hostLock: null })
const stdout = join(disk, 'stdout')
const environment = childEnvironment({ path: process.env.PATH, home: disk, paddingBytes: 0 })
const measure = async ({ path, before }, mode, pattern) => {
  before()
  const argv = [process.execPath, child, path, mode, pattern, String(revisions)]
  const result = await launcher.run({
    invocation: { argv, workingDirectory: disk, environment, expectedExitCodes: [0] },
    ...{ stdout, stderr: join(disk, 'stderr'), timeoutSeconds: 120 },
  })
  if (result.outcome !== 'good') throw new Error(readFileSync(join(disk, 'stderr'), 'utf8'))
  return { ...JSON.parse(readFileSync(stdout, 'utf8')), wall: result.usage.wallSeconds * 1000 }
}

const mebibytes = (bytes) => (bytes / 1_048_576).toFixed(0)
const rows = []
for (const place of places) {
  for (const pattern of patterns) {
    const samples = new Map(modes.map((mode) => [mode, []]))
    await interleave(modes, rounds, async (mode) => {
      samples.get(mode).push(await measure(place, mode, pattern))
    })
    for (const mode of modes) {
      const of = (pick) => median(samples.get(mode).map(pick))
      rows.push([
        place.place,
        pattern,
        mode,
        of(({ openMillis }) => openMillis).toFixed(1),
        of(({ workMillis }) => workMillis).toFixed(1),
        of(({ openMillis, workMillis }) => openMillis + workMillis).toFixed(1),
        of(({ wall }) => wall).toFixed(0),
        of(({ minorFaults, majorFaults }) => minorFaults + majorFaults),
        mebibytes(of(({ peakBytes }) => peakBytes)),
        mebibytes(of(({ anonBytes }) => anonBytes)),
      ])
    }
  }
}
await launcher.close()
rmSync(disk, { recursive: true })
rmSync(memory, { recursive: true })
printTable(
  [
    'place',
    'pattern',
    'mode',
    'open ms',
    'work ms',
    'sum ms',
    'wall ms',
    'faults',
    'peak MiB',
    'anon MiB',
  ],
  rows,
)
