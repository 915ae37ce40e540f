/** How an engine is called in headings, levels and selections. */
import type { EngineSpec } from '@assay/model'

/** `revlog`, or with a version `hg 7.2.4`. */
export const engineTitle = (engine: EngineSpec): string =>
  engine.version === undefined ? engine.name : `${engine.name} ${engine.version}`

/** Whether `level` means this engine: by its title, or by its name alone. */
export const isEngine = (engine: EngineSpec, level: string): boolean =>
  level === engineTitle(engine) || level === engine.name
