/**
 * What a command of the program is: an entry in the registry (commands/index.ts) that declares its
 * name, options and help, and runs in a context. Adding one is a file and a line there.
 */
import type { OpenRepositoryOptions, Repository } from '../repository/open.ts'
import type { CliIo, Output } from './output.ts'

/** One option of a command, as node's parseArgs takes it. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
}

/** Options by their long names. */
export type CommandOptions = Readonly<Record<string, CommandOption>>

/** What was given on the command line. Asking for an option that was not declared throws. */
export interface CommandArguments {
  readonly command: string
  readonly operands: readonly string[]
  /** Whether a boolean option was given. */
  flag(name: string): boolean
  /** The value of an option; of several the last one. */
  text(name: string): string | undefined
  /** All values of an option that may be repeated, in order. */
  list(name: string): readonly string[]
}

/** What a command has at hand. */
export interface CommandContext {
  readonly args: CommandArguments
  readonly io: CliIo
  readonly output: Output
  /** With --quiet nothing is said that was not asked for. */
  readonly quiet: boolean
  /** `--config SECTION.NAME=VALUE`, by `SECTION.NAME`. */
  readonly config: ReadonlyMap<string, string>
  /** How this run opens repositories. */
  readonly access: OpenRepositoryOptions
  /** The root of the repository that -R or the current directory names. Throws `not-a-repository`. */
  root(): string
  /** That repository, opened by the first call and closed when the command is over. */
  repository(): Repository
}

/** A command. */
export interface Command {
  readonly name: string
  /** Other names that mean the same. */
  readonly aliases?: readonly string[]
  readonly options: CommandOptions
  /** Its lines in --help, the first one with its name. */
  readonly help: string
  /** Runs it. Gives the exit status, 0 if nothing. */
  run(context: CommandContext): number | undefined
}
