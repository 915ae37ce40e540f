/**
 * The storage format that `--config format.*` asks for, in the words of `hg help config.format`.
 */
import { RevlogError } from '../errors.ts'
import type { RepositoryFormat } from '../repository/repository-layout.ts'
import { configFlag } from './config-values.ts'

type Config = ReadonlyMap<string, string>

/** What the settings say of the format; nothing of what they do not name. Throws `usage`. */
export function formatSettings(config: Config): Partial<RepositoryFormat> {
  const flag = (key: string): boolean | undefined =>
    config.has(`format.${key}`) ? configFlag(config, `format.${key}`, false) : undefined
  const generaldelta = flag('usegeneraldelta')
  const sparse = flag('sparse-revlog')
  return defined({
    compression: compressionSetting(config),
    // Sparse revlogs are built on general deltas: the one switches the other on, or off.
    generaldelta: sparse === true ? true : generaldelta,
    sparse: generaldelta === false ? (sparse ?? false) : sparse,
    shareSafe: flag('use-share-safe'),
    dirstateV2: flag('use-dirstate-v2'),
    persistentNodemap: flag('use-persistent-nodemap'),
  })
}

/** As in Mercurial the first of the list that is known. */
function compressionSetting(config: Config): RepositoryFormat['compression'] | undefined {
  const text = config.get('format.revlog-compression')
  if (text === undefined) return undefined
  for (const name of text.split(/[\s,]+/)) {
    if (name === 'zlib' || name === 'zstd' || name === 'none') return name
  }
  throw new RevlogError(
    'usage',
    `compression engines ${text} defined by format.revlog-compression not available`,
  )
}

type Undefinable<Type> = { readonly [Key in keyof Type]: Type[Key] | undefined }

function defined(format: Undefinable<RepositoryFormat>): Partial<RepositoryFormat> {
  const { compression, generaldelta, sparse, shareSafe, dirstateV2, persistentNodemap } = format
  return {
    ...(compression === undefined ? {} : { compression }),
    ...(generaldelta === undefined ? {} : { generaldelta }),
    ...(sparse === undefined ? {} : { sparse }),
    ...(shareSafe === undefined ? {} : { shareSafe }),
    ...(dirstateV2 === undefined ? {} : { dirstateV2 }),
    ...(persistentNodemap === undefined ? {} : { persistentNodemap }),
  }
}
