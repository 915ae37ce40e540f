/**
 * The presets: shapes that resemble the repositories on which revlog changes are usually judged.
 * Measured: a conversion of Mercurial's own history to November 2018. Published: Mercurial's change
 * messages on aggressive merge deltas (June 2018) and on index benchmarks, and Mozilla's posts on its
 * try repository. Chosen: where no figure was found, a plausible one.
 *
 * Changesets scale with the scale. So do heads and branches. Files scale with its square root, so
 * that a small dataset still has manifests worth a delta; mozilla-try-like scales its files linearly, or
 * its manifests would dwarf the changelog index for whose sake it is there.
 */
import type { DatasetPreset, DatasetShape } from './shape.ts'

/** A whole count, at least `least`. */
const count = (value: number, least = 1): number => Math.max(least, Math.round(value))

const mercurialLike: DatasetPreset = {
  name: 'mercurial-like',
  summary: "like Mercurial's own history: 40,919 changesets, few heads, 72 KB manifests",
  shape: (scale) => ({
    // Measured: changesets, filelogs, merge ratio. Measured late manifests of 125 KB give the
    // tracked files. The rest is chosen.
    changesets: count(40_919 * scale),
    historyFiles: count(3_246 * Math.sqrt(scale), 8),
    trackedFiles: count(1_750 * Math.sqrt(scale), 4),
    initialFiles: count(60 * Math.sqrt(scale), 4),
    directoryDepth: 3,
    fileLines: 80,
    filesPerChangeset: 2.2,
    mergeRatio: 0.0674,
    heads: 3,
    headLength: 2,
    branches: 2,
    users: 400,
    messageBytes: 170,
    draftHeads: false,
  }),
}

const pypyLike: DatasetPreset = {
  name: 'pypy-like',
  summary: 'like PyPy: about 100,000 changesets on many named branches',
  shape: (scale) => ({
    // Published: order of changesets, merge ratio, many named branches. The rest is chosen.
    changesets: count(100_000 * scale),
    historyFiles: count(9_000 * Math.sqrt(scale), 8),
    trackedFiles: count(4_500 * Math.sqrt(scale), 4),
    initialFiles: count(150 * Math.sqrt(scale), 4),
    directoryDepth: 4,
    fileLines: 90,
    filesPerChangeset: 1.8,
    mergeRatio: 0.083,
    heads: count(600 * scale, 6),
    headLength: 8,
    branches: count(900 * scale, 10),
    users: 300,
    messageBytes: 70,
    draftHeads: false,
  }),
}

const netbeansLike: DatasetPreset = {
  name: 'netbeans-like',
  summary: 'like NetBeans: about 300,000 changesets, a third of them merges, deep paths',
  shape: (scale) => ({
    // Published: order of changesets, merge ratio, many heads. The rest is chosen; the original has
    // more files, whose manifests would take most of the time of preparing it.
    changesets: count(300_000 * scale),
    historyFiles: count(20_000 * Math.sqrt(scale), 8),
    trackedFiles: count(11_000 * Math.sqrt(scale), 4),
    initialFiles: count(400 * Math.sqrt(scale), 4),
    directoryDepth: 9,
    fileLines: 110,
    filesPerChangeset: 2.4,
    mergeRatio: 0.3421,
    heads: count(800 * scale, 8),
    headLength: 3,
    branches: count(300 * scale, 4),
    users: 500,
    messageBytes: 80,
    draftHeads: false,
  }),
}

const mozillaTryLike: DatasetPreset = {
  name: 'mozilla-try-like',
  summary: 'like Mozilla try: 1,250,000 changesets, tens of thousands of draft heads',
  shape: (scale) => ({
    // Published: 1 to 2.5 million changesets (1.25 chosen) and 24,550 heads. Merge ratio as
    // published for mozilla-central. The rest is chosen, the files well below the 203,509 of 2013.
    // Scale 0.02 is the smallest round one whose changelog index (1.6 MB) is above the 1 MiB from
    // which Mercurial maps an index.
    changesets: count(1_250_000 * scale),
    historyFiles: count(80_000 * scale, 16),
    trackedFiles: count(60_000 * scale, 12),
    initialFiles: count(20_000 * scale, 8),
    directoryDepth: 6,
    fileLines: 60,
    filesPerChangeset: 1.6,
    mergeRatio: 0.0484,
    heads: count(24_550 * scale, 12),
    headLength: 4,
    branches: 0,
    users: 1_500,
    messageBytes: 90,
    draftHeads: true,
  }),
}

const changelogOnly: DatasetPreset = {
  name: 'changelog-only',
  summary: '1,000,000 changesets without files: a 64 MB index for what the index alone decides',
  shape: (scale) => ({ ...NO_FILES, changesets: count(1_000_000 * scale) }),
}

/** All chosen: only the number of changesets matters. */
const NO_FILES: Omit<DatasetShape, 'changesets'> = {
  historyFiles: 0,
  trackedFiles: 0,
  initialFiles: 0,
  directoryDepth: 1,
  fileLines: 1,
  filesPerChangeset: 0,
  mergeRatio: 0,
  heads: 1,
  headLength: 1,
  branches: 0,
  users: 200,
  messageBytes: 40,
  draftHeads: false,
}

/** Every preset, in the order in which they are shown. */
export const presets: readonly DatasetPreset[] = [
  mercurialLike,
  pypyLike,
  netbeansLike,
  mozillaTryLike,
  changelogOnly,
]
