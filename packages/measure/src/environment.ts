/** The whole environment of a measured child: an allow-list, the same on every host. */

/** What a child's environment is made from. */
export interface ChildEnvironmentOptions {
  /** The one thing taken over from outside: where programs are looked up. */
  readonly path: string
  /** An empty scratch folder, so that no configuration of a user is read. */
  readonly home: string
  /** Bytes of padding; they move the child's stack, on whose offset run times depend. */
  readonly paddingBytes: number
  /** What an engine or dataset needs on top; may replace anything but the padding. */
  readonly additions?: Readonly<Record<string, string>>
}

/**
 * The variables of a child and nothing else: no secret can be inherited, since nothing is. `hg`
 * reads no configuration (HGRCPATH empty) and prints for machines (HGPLAIN).
 */
export const childEnvironment = (
  options: ChildEnvironmentOptions,
): Readonly<Record<string, string>> => ({
  PATH: options.path,
  HOME: options.home,
  HGRCPATH: '',
  HGPLAIN: '1',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...options.additions,
  // Environment size alone shifts run times by several per cent: Mytkowicz, Diwan, Hauswirth and
  // Sweeney, "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009.
  ASSAY_PADDING: 'x'.repeat(options.paddingBytes),
})
