/**
 * What the embedded engine is told for each benchmark: options and operands, in the words of its
 * command line, which are Mercurial's.
 */
import type { CommandPlaces } from './engine.ts'
import { programPath } from './revlog-program.ts'

type Levels = Readonly<Record<string, string>>
type Command = (levels: Levels, places: CommandPlaces) => readonly string[]

const option = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [name, value]

/** The settings of whoever receives revisions. */
const settings = (levels: Levels): readonly string[] => [
  ...(levels['reuse-external-delta-parent'] === 'yes'
    ? ['--config', 'storage.revlog.reuse-external-delta-parent=yes']
    : []),
  ...(levels['issue6528'] === 'disabled'
    ? ['--config', 'storage.revlog.issue6528.fix-incoming=no']
    : []),
]

const receiving = (levels: Levels): readonly string[] => [
  ...settings(levels),
  ...(levels['verbosity'] === 'quiet' ? ['--quiet'] : []),
]

const whichRevlog = (levels: Levels): readonly string[] => {
  const { revlog = 'changelog' } = levels
  if (revlog === 'changelog') return ['-c']
  return revlog === 'manifest' ? ['-m'] : ['--', revlog.slice('file:'.length)]
}

/**
 * Of each step the best of at least three runs: rounds repeat what one process measures, so that it
 * need not go on for the ten seconds a step that a single measurement would.
 */
const perf = (name: string): readonly string[] => [
  ...['--config', 'perf.presleep=0', '--config', 'perf.run-limits=0.1-3'],
  `perf::${name}`,
]

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/**
 * The other repository as the protocol reaches it. Over ssh, a shell stands in for ssh and for the
 * network: it starts this same program, in the same access mode and with the receiver's settings, in
 * place of whatever command it is sent.
 */
const otherSide = (levels: Levels, { remote, mode }: CommandPlaces): readonly string[] => {
  if (remote === null) return []
  if (levels['protocol'] !== 'ssh') return [remote]
  const program = [process.execPath, programPath(), '--mode', mode, ...settings(levels)]
  const standIn = `eval "set -- $1"; shift; exec ${program.map(quoted).join(' ')} "$@"`
  return ['--ssh', `sh -c ${quoted(standIn)}`, `ssh://localhost/${encodeURI(remote)}`]
}

/** The revisions that are named on the command line. */
const namedRevisions = (levels: Levels, { extraHeads }: CommandPlaces): readonly string[] =>
  levels['explicit-rev'] === 'all-out-heads' ? extraHeads().flatMap((node) => ['-r', node]) : []

const commands: Readonly<Record<string, Command>> = {
  'hg.command.log': (levels) => [
    'log',
    ...(levels['patch'] === 'yes' ? ['-p'] : []),
    ...option('-l', levels['limit-rev']),
    ...(levels['rev'] === 'none' ? [] : option('-r', levels['rev'])),
  ],
  'hg.command.unbundle': (levels, { bundle }) => [
    ...receiving(levels),
    'unbundle',
    ...(bundle === null ? [] : [bundle]),
  ],
  // The last revisions may be heads or branches that the other side does not have.
  'hg.command.push': (levels, places) => [
    ...[...settings(levels), 'push', '--force', ...namedRevisions(levels, places)],
    ...otherSide(levels, places),
  ],
  'hg.command.pull': (levels, places) => [
    ...[...settings(levels), 'pull', '--force', ...namedRevisions(levels, places)],
    ...otherSide(levels, places),
  ],
  'hg.command.bundle': (levels, { remote, scratch }) => [
    ...['bundle', ...option('-t', levels['type'])],
    scratch === null ? 'bundle.hg' : `${scratch}/bundle.hg`,
    ...(remote === null ? [] : [remote]),
  ],
  'hg.perf.revlogchunks': (levels) => [
    ...perf('revlogchunks'),
    ...option('-e', levels['compression']),
    ...whichRevlog(levels),
  ],
  'hg.perf.revlogindex': (levels) => [...perf('revlogindex'), ...whichRevlog(levels)],
  'hg.perf.revlogrevision': (levels) => [
    ...perf('revlogrevision'),
    ...whichRevlog(levels),
    levels['rev'] ?? 'tip',
  ],
  'hg.perf.revlogrevisions': (levels) => [
    ...perf('revlogrevisions'),
    ...option('-d', levels['dist']),
    ...whichRevlog(levels),
  ],
  'hg.perf.revlogwrite': (levels) => [
    ...perf('revlogwrite'),
    ...option('-s', levels['startrev']),
    ...whichRevlog(levels),
  ],
  'hg.perf.index': (levels) => [...perf('index'), ...option('--rev', levels['rev'])],
  'hg.perf.unbundle': (levels, { bundle }) => [
    ...[...settings(levels), ...perf('unbundle')],
    ...(bundle === null ? [] : [bundle]),
  ],
  'hg.perf.discovery': (levels, places) => [...perf('discovery'), ...otherSide(levels, places)],
  'hg.perf.nodemap': (levels) => [...perf('nodemap'), ...option('--rev', levels['rev'])],
}

/** Why a benchmark is not run, by name; absent means it is, or that nobody knows it. */
const reasons: Readonly<Record<string, string>> = {
  exec: 'exec is run by the engine exec: write engines: [exec]',
}

/** Why the engine cannot run a benchmark; null when it can. */
export const reasonAgainst = (benchmark: string): string | null => {
  if (Object.hasOwn(commands, benchmark)) return null
  return reasons[benchmark] ?? `the embedded engine does not know ${benchmark}`
}

/** The command with its options and operands. */
export const revlogCommand = (levels: Levels, places: CommandPlaces): readonly string[] =>
  commands[places.benchmark]?.(levels, places) ?? []
