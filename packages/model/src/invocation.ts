/** What one sample executes: literal argv, fixed environment, no shell. */

/** A child to be measured. */
export interface Invocation {
  readonly argv: readonly [string, ...string[]]
  readonly workingDirectory: string
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly expectedExitCodes: readonly number[]
}
