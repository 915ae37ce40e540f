/**
 * What can be planned: the declarations that benchmarks, engines and dataset presets make about
 * themselves. `bench` fills a catalogue from its registries; `campaign` reads it and never asks
 * for a name.
 */

/** One parameter of a benchmark: a closed list of levels, or any text. */
export interface ParameterDeclaration {
  readonly name: string
  readonly summary: string
  /** The levels it accepts, as written in YAML; null accepts any text that `accepts` allows. */
  readonly levels: readonly string[] | null
  /** For an open parameter: what a level must look like, shown in errors. */
  readonly pattern: { readonly expression: RegExp; readonly wanted: string } | null
  /** The level when a campaign does not say; null leaves the parameter out of the variant. */
  readonly fallback: string | null
}

/** A named operation that can be timed. */
export interface BenchmarkDeclaration {
  readonly name: string
  /** Raised when the operation changes meaning: part of a variant's identity. */
  readonly version: number
  readonly summary: string
  readonly parameters: readonly ParameterDeclaration[]
  readonly needsDataset: boolean
  readonly mutatesRepository: boolean
  readonly needsRemote: boolean
  /** Whether a campaign gives its command; its parameters are then the `${name}` places in it. */
  readonly takesCommand?: boolean
}

/** The part of a variant by which an engine says whether it can run it. */
export interface SupportQuestion {
  readonly benchmark: string
  readonly flavor: string
  readonly mode: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Something that executes benchmarks. */
export interface EngineDeclaration {
  readonly name: string
  readonly summary: string
  readonly flavors: readonly string[]
  /** What `{ engine: TEXT }` in a campaign gives it; absent: it takes nothing. */
  readonly takes?: 'version' | 'script'
  /** Names of its own metrics, as far as they are known before measuring. */
  readonly metrics?: readonly string[]
  /** Why it cannot run this variant, in words for a person; null when it can. Pure. */
  unsupportedReason(question: SupportQuestion): string | null
}

/** A dataset that can be generated. */
export interface PresetDeclaration {
  readonly name: string
  readonly summary: string
}

/** One thing that a dataset's source may be told beside its place. */
export interface SourceOptionDeclaration {
  readonly name: string
  readonly summary: string
  readonly required: boolean
  /** Whether it takes a list. */
  readonly many: boolean
  /** What a value must look like, shown in errors. */
  readonly pattern: { readonly expression: RegExp; readonly wanted: string }
}

/** A kind of source of datasets that are not generated. */
export interface SourceDeclaration {
  readonly name: string
  readonly summary: string
  readonly options: readonly SourceOptionDeclaration[]
  /** Why this is no place it can be taken from, in words for a person; null for a good one. Pure. */
  refusalOf(location: string): string | null
}

/** Everything a campaign may name. */
export interface Catalogue {
  readonly benchmarks: readonly BenchmarkDeclaration[]
  readonly engines: readonly EngineDeclaration[]
  readonly presets: readonly PresetDeclaration[]
  /** Storage formats that a generated dataset accepts. */
  readonly formats: readonly string[]
  /** Where datasets come from that are not generated. */
  readonly sources: readonly SourceDeclaration[]
}
