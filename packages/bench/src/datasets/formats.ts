/**
 * Storage formats of datasets: the tags that a campaign names, as a repository format.
 * What is not named is off, but for generaldelta and share-safe, which are on unless `no-generaldelta`
 * or `no-share-safe` is named, and zstd, which compresses where no compression is named.
 */
import type { CompressionName, RepositoryFormat } from '@assay/revlog'
import { datasetFormatContradictory, datasetFormatUnsupported } from '../errors.ts'

const compressions: readonly CompressionName[] = ['zlib', 'zstd', 'none']

/** The tags that a dataset can have. */
export const formats: readonly string[] = [
  ...compressions,
  'sparse-revlog',
  'generaldelta',
  'no-generaldelta',
  'share-safe',
  'no-share-safe',
  'dirstate-v2',
  'persistent-nodemap',
]

/**
 * The repository format of some tags. Throws `dataset-format-unsupported` for an unknown tag and
 * `dataset-format-contradictory` for tags that exclude each other.
 */
export const parseDatasetFormat = (tags: readonly string[]): RepositoryFormat => {
  const unknown = tags.find((tag) => !formats.includes(tag))
  if (unknown !== undefined) throw datasetFormatUnsupported(unknown, formats)
  const named = compressions.filter((name) => tags.includes(name))
  if (named.length > 1) throw datasetFormatContradictory(tags, 'it names two compressions')
  const off = tags.includes('no-generaldelta')
  if (off && tags.includes('generaldelta')) {
    throw datasetFormatContradictory(tags, 'generaldelta is on or off')
  }
  if (off && tags.includes('sparse-revlog')) {
    throw datasetFormatContradictory(tags, 'sparse-revlog needs generaldelta')
  }
  const shareSafe = !tags.includes('no-share-safe')
  if (!shareSafe && tags.includes('share-safe')) {
    throw datasetFormatContradictory(tags, 'share-safe is on or off')
  }
  return {
    compression: named[0] ?? 'zstd',
    generaldelta: !off,
    sparse: tags.includes('sparse-revlog'),
    shareSafe,
    dirstateV2: tags.includes('dirstate-v2'),
    persistentNodemap: tags.includes('persistent-nodemap'),
  }
}
