/**
 * The launcher's protocol, seen from Node: request lines out, JSON answers in. The grammar is
 * described at the head of native/launcher.c; both launchers speak it.
 */
import { z } from 'zod'
import { launcherGarbled } from './errors.ts'

/** Raised when a line changes its meaning. */
export const protocolVersion = 2

/** What to start. Paths are absolute; a null timeout is none. */
export interface RunRequest {
  readonly id: number
  readonly argv: readonly string[]
  readonly workingDirectory: string
  readonly environment: Readonly<Record<string, string>>
  readonly stdin: string | null
  readonly stdout: string
  readonly stderr: string
  readonly timeoutNanoseconds: number | null
  /** Processors the child may use, as in the kernel's lists: `0,2-3`; null: all. */
  readonly cpus: string | null
  /** How many children at once. */
  readonly parallel: number
  /** Whether memory is read at the children's exit. */
  readonly memory: boolean
}

const token = (key: string, value: string | number): string =>
  `${key}=${encodeURIComponent(String(value))}`

const optionalToken = (key: string, value: string | number | null): readonly string[] =>
  value === null ? [] : [token(key, value)]

/** The line that starts a child. */
export const runLine = (request: RunRequest): string =>
  [
    'run',
    token('id', request.id),
    token('cwd', request.workingDirectory),
    ...optionalToken('stdin', request.stdin),
    token('stdout', request.stdout),
    token('stderr', request.stderr),
    ...optionalToken('timeout', request.timeoutNanoseconds),
    ...optionalToken('cpus', request.cpus),
    ...optionalToken('parallel', request.parallel === 1 ? null : request.parallel),
    ...optionalToken('memory', request.memory ? 1 : null),
    ...request.argv.map((argument) => token('arg', argument)),
    ...Object.entries(request.environment).map(([name, value]) => token('env', `${name}=${value}`)),
  ].join(' ')

/** The line that kills the child of run `id`. */
export const cancelLine = (id: number): string => `cancel ${token('id', id)}`

/** The line that takes the host lock. */
export const lockLine = (path: string, waitNanoseconds: number): string =>
  ['lock', token('path', path), token('wait', waitNanoseconds)].join(' ')

const count = z.int().min(0)
/** On the boot clock: beyond 104 days no longer exact to the nanosecond, hence no integer. */
const instant = z.number().min(0)

const readyAnswerSchema = z.strictObject({
  type: z.literal('ready'),
  protocol: z.literal(protocolVersion),
  pid: z.int().min(1),
})

/** Only from a launcher whose child does not die with it: the process group to kill then. */
const startedAnswerSchema = z.strictObject({
  type: z.literal('started'),
  id: count,
  group: z.int().min(2),
})

const endedAnswerSchema = z.strictObject({
  type: z.literal('run'),
  id: count,
  status: z.enum(['exited', 'signaled', 'timed-out', 'cancelled']),
  exitCodes: z.array(z.int().nullable()).min(1),
  signal: z.int().nullable(),
  signalName: z.string().nullable(),
  startedAtNanoseconds: instant,
  endedAtNanoseconds: instant,
  wallNanoseconds: count,
  userMicroseconds: count,
  systemMicroseconds: count,
  maxRssKibibytes: count.nullable(),
  minorFaults: count,
  majorFaults: count,
  voluntarySwitches: count,
  involuntarySwitches: count,
  blocksIn: count,
  blocksOut: count,
  exitAnonKibibytes: count.nullable(),
  exitPssKibibytes: count.nullable(),
  peakAnonKibibytes: count.nullable(),
  peakPssKibibytes: count.nullable(),
  stragglers: count,
})
/** How the children of one run ended and what they used. */
export type EndedAnswer = z.infer<typeof endedAnswerSchema>

const spawnFailedAnswerSchema = z.strictObject({
  type: z.literal('run'),
  id: count,
  status: z.literal('spawn-failed'),
  step: z.string(),
  errno: z.int(),
  message: z.string(),
})
/** Why a child could not be started. */
export type SpawnFailedAnswer = z.infer<typeof spawnFailedAnswerSchema>

const lockAnswerSchema = z.discriminatedUnion('state', [
  z.strictObject({ type: z.literal('lock'), state: z.literal('held') }),
  z.strictObject({
    type: z.literal('lock'),
    state: z.literal('busy'),
    holder: z.int().min(1).nullable(),
  }),
  z.strictObject({
    type: z.literal('lock'),
    state: z.literal('failed'),
    errno: z.int(),
    message: z.string(),
  }),
])

const answerSchema = z.union([
  readyAnswerSchema,
  startedAnswerSchema,
  endedAnswerSchema,
  spawnFailedAnswerSchema,
  lockAnswerSchema,
  z.strictObject({ type: z.literal('refused'), reason: z.string() }),
])
/** Any answer of a launcher. */
export type Answer = z.infer<typeof answerSchema>

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}

/** An answer line as a value; throws `launcher-garbled`. */
export const parseAnswer = (line: string): Answer => {
  const parsed = answerSchema.safeParse(parseJson(line))
  if (!parsed.success) throw launcherGarbled(line)
  return parsed.data
}
