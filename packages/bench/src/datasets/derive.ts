/**
 * A dataset in other storage formats: a copy that hg's own upgrade rewrites. What came out is compared
 * with what was asked for, since an hg that does not know a format passes over it.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyDataset } from '@assay/measure'
import type { RepositoryFormat } from '@assay/revlog'
import { datasetFormatRefused } from '../errors.ts'
import { parseDatasetFormat } from './formats.ts'
import { orderFileList } from './history-files.ts'
import { runHg } from './programs.ts'
import type { SourceSite } from './source-kind.ts'

/** Raised when the same formats are made in another way; part of a derived dataset's key. */
export const DERIVATION_VERSION = 1

/** As `hg help config.format` names them. */
const settingsOf = (format: RepositoryFormat): readonly string[] => [
  `format.revlog-compression=${format.compression}`,
  `format.usegeneraldelta=${format.generaldelta}`,
  `format.sparse-revlog=${format.sparse}`,
  `format.use-share-safe=${format.shareSafe}`,
  `format.use-dirstate-v2=${format.dirstateV2}`,
  `format.use-persistent-nodemap=${format.persistentNodemap}`,
  // An hg without Rust is slow at these two, which does not matter here.
  'storage.revlog.persistent-nodemap.slow-path=allow',
  'storage.dirstate-v2.slow-path=allow',
]

const requirementsIn = (directory: string): readonly string[] =>
  ['requires', 'store/requires']
    .map((name) => join(directory, '.hg', name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))

const checkDerived = async (directory: string, format: RepositoryFormat): Promise<void> => {
  // Loaded for this alone: the start of every other command would wait for it.
  const { switchedRequirements } = await import('@assay/revlog')
  const found = requirementsIn(directory)
  for (const [name, wanted] of switchedRequirements(format)) {
    if (found.includes(name) === wanted) continue
    throw datasetFormatRefused(wanted ? `it did not switch ${name} on` : `it left ${name} on`)
  }
}

/** Derives from the repository `base`. Rejects with `dataset-format-refused`, `program-failed`... */
export const deriveFormat = async (
  base: string,
  tags: readonly string[],
  { directory, ...site }: SourceSite,
): Promise<void> => {
  const format = parseDatasetFormat(tags)
  const settings = settingsOf(format)
  if (format.generaldelta) {
    await copyDataset(base, directory)
    const upgrade = ['debugupgraderepo', '--quiet', '--run', '--no-backup']
    await runHg(['--repository', directory, ...upgrade], { ...site, settings })
  } else {
    // An upgrade does not take general delta away; a clone is written anew. It knows no drafts.
    await runHg(['clone', '--quiet', '--noupdate', '--pull', '--', base, directory], {
      ...{ ...site, settings },
    })
    const phases = join('.hg', 'store', 'phaseroots')
    if (existsSync(join(base, phases))) copyFileSync(join(base, phases), join(directory, phases))
  }
  await checkDerived(directory, format)
  orderFileList(directory)
}
