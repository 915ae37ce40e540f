/**
 * The rule about parts that a reader does not know: a mandatory one refuses the bundle, an advisory
 * one is skipped and said. Source: `hg help internals.bundle2`, "Payload Part".
 */
import type { Bundle, BundlePart } from './bundle.ts'
import { unknownPart } from './read-parts.ts'

/** What a reader knows. */
export interface KnownParts {
  /** Parameters by part: every one that the reader understands. */
  readonly known: ReadonlyMap<string, ReadonlySet<string>>
  /** Told of each part that is skipped. */
  readonly onSkipped: (part: BundlePart) => void
}

/** The parts that the reader knows, in order. Throws `unknown-part`. */
export function* knownParts(
  bundle: Pick<Bundle, 'parts'>,
  { known, onSkipped }: KnownParts,
): Iterable<BundlePart> {
  for (const part of bundle.parts()) {
    const parameters = known.get(part.name)
    if (parameters === undefined) {
      if (part.mandatory) throw unknownPart(part.name)
      onSkipped(part)
      continue
    }
    const foreign = [...part.mandatoryParameters].filter((name) => !parameters.has(name))
    if (foreign.length === 0) yield part
    else if (part.mandatory) throw unknownPart(part.name, foreign)
    else onSkipped(part)
  }
}
