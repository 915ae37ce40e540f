/** The embedded engine: our own revlog program, one fresh Node process a sample. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { PlannedCell, SupportQuestion } from '@assay/model'
import { datasetMissing } from '../errors.ts'
import { measurableChild } from './child.ts'
import type { Engine } from './engine.ts'
import { readRevlogMetrics, revlogMetrics } from './revlog-debug.ts'

/** The bundled program; resolved when needed, since it exists only after a build. */
const programPath = (): string => createRequire(import.meta.url).resolve('@assay/revlog/cli')

/** Why a benchmark is not run yet, by name; absent means it is. */
const notYet: Readonly<Record<string, string>> = {
  'hg.command.unbundle': 'the embedded engine cannot unbundle yet',
  'hg.command.push': 'the embedded engine cannot push yet',
  'hg.perf.revlogchunks': 'the embedded engine has no perf commands yet',
  exec: 'exec is run by the engine exec: write engines: [exec]',
}

const logArguments = (parameters: Readonly<Record<string, string>>): string[] => {
  const limit = parameters['limit-rev']
  const rev = parameters['rev']
  return [
    'log',
    ...(limit === undefined ? [] : ['-l', limit]),
    ...(rev === undefined || rev === 'none' ? [] : ['-r', rev]),
  ]
}

const commandLine = (cell: PlannedCell, repository: string): [string, ...string[]] => [
  process.execPath,
  programPath(),
  '-R',
  repository,
  '--mode',
  cell.mode,
  '--debug',
  ...logArguments(cell.parameters),
]

export const revlog: Engine = {
  name: 'revlog',
  summary: 'the embedded revlog engine: nothing else to install',
  flavors: ['default'],
  metrics: revlogMetrics,
  readsDataset: true,
  unsupportedReason(question: SupportQuestion) {
    const reason = notYet[question.benchmark]
    if (reason !== undefined) return reason
    if (question.parameters['patch'] === 'yes') {
      return 'the embedded engine cannot print patches yet'
    }
    return null
  },
  async buildDigest() {
    const program = await readFile(programPath())
    return createHash('sha256').update(program).digest('hex')
  },
  commandLine: (cell, datasetDirectory) =>
    datasetDirectory === null ? null : commandLine(cell, datasetDirectory),
  async prepare(cell, site) {
    if (site.datasetDirectory === null) throw datasetMissing(cell.id)
    const argv = commandLine(cell, site.datasetDirectory)
    const child = {
      argvFor: () => argv,
      workingDirectory: site.scratchDirectory,
      readMetrics: readRevlogMetrics,
    }
    return measurableChild(child, cell, site)
  },
}
