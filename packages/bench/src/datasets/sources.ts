/** The registry of sources: one file each, one line here. */
import type { DatasetSource } from '@assay/model'
import { datasetSourceInvalid } from '../errors.ts'
import { clone } from './clone.ts'
import { git } from './git.ts'
import { path } from './path.ts'
import type { SourceKind } from './source-kind.ts'
import { tarball } from './tarball.ts'

/** Every kind, in the order in which they are shown. */
export const sources: readonly SourceKind[] = [path, tarball, clone, git]

const checkOptions = (kind: SourceKind, { options }: DatasetSource): void => {
  for (const [name, values] of Object.entries(options)) {
    const option = kind.options.find((one) => one.name === name)
    if (option === undefined) throw datasetSourceInvalid(kind.name, `it takes no ${name}`)
    const wrong = values.find((value) => !option.pattern.expression.test(value))
    if (wrong === undefined && (option.many || values.length === 1)) continue
    throw datasetSourceInvalid(kind.name, `${name} wants ${option.pattern.wanted}, not "${wrong}"`)
  }
  for (const { name, pattern } of kind.options.filter(({ required }) => required)) {
    if ((options[name] ?? []).length > 0) continue
    throw datasetSourceInvalid(kind.name, `it needs ${name}: ${pattern.wanted}`)
  }
}

/** The kind of a source, whatever wrote it down. Throws `dataset-source-invalid`. */
export const kindOf = (source: DatasetSource): SourceKind => {
  const kind = sources.find(({ name }) => name === source.kind)
  const known = sources.map(({ name }) => name).join(', ')
  if (kind === undefined) throw datasetSourceInvalid(source.kind, `there are ${known}`)
  const refusal = kind.refusalOf(source.location)
  if (refusal !== null) throw datasetSourceInvalid(kind.name, `${source.location}: ${refusal}`)
  checkOptions(kind, source)
  return kind
}
