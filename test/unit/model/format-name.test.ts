/** Names of storage formats: as change messages of Mercurial have them, and back. */
import { formatName, formatTags } from '@assay/model'
import { describe, expect, it } from 'vitest'

const known = [
  ...['zlib', 'zstd', 'none', 'sparse-revlog', 'generaldelta', 'no-generaldelta'],
  ...['dirstate-v2', 'persistent-nodemap'],
]

describe('the name of storage formats', () => {
  it.each([
    [['zstd', 'sparse-revlog'], 'zstd-sparse-revlog'],
    [['zstd', 'sparse-revlog', 'dirstate-v2', 'persistent-nodemap'], 'ds2-pnm'],
    [['zstd', 'sparse-revlog', 'persistent-nodemap'], 'pnm'],
    [['zlib', 'dirstate-v2'], 'zlib-ds2'],
    [['zlib', 'no-generaldelta'], 'zlib-no-generaldelta'],
  ])('%j is %s, there and back', (tags, name) => {
    expect(formatName(tags)).toBe(name)
    expect(formatTags(name, known)).toEqual(tags)
  })

  it.each(['', 'zstd-', 'zstd-sparse', 'lz4', '-zstd', 'zstd sparse-revlog'])(
    '%j is none',
    (name) => {
      expect(formatTags(name, known)).toBeNull()
    },
  )
})
