/** The registry of commands: one file each, one line here, in the order of `assay --help`. */
import type { Command } from 'commander'
import type { Surroundings } from '../config.ts'
import { compareCommand } from './compare.ts'
import { datasetCommand } from './dataset.ts'
import { doctorCommand } from './doctor.ts'
import { execCommand } from './exec.ts'
import { gateCommand } from './gate.ts'
import { importCommand } from './import.ts'
import { initCommand } from './init.ts'
import { planCommand } from './plan.ts'
import { reportCommand } from './report.ts'
import { reproduceCommand } from './reproduce.ts'
import { rerunCommand } from './rerun.ts'
import { resumeCommand } from './resume.ts'
import { reviewCommand } from './review.ts'
import { runCommand } from './run.ts'
import { runsCommand } from './runs.ts'
import { serveCommand, workerCommand } from './serve.ts'
import { tokenCommand } from './token.ts'
import { validateCommand } from './validate.ts'
import { watchCommand } from './watch.ts'

export const commands: readonly ((surroundings: Surroundings) => Command)[] = [
  initCommand,
  validateCommand,
  planCommand,
  runCommand,
  execCommand,
  resumeCommand,
  rerunCommand,
  runsCommand,
  reportCommand,
  watchCommand,
  compareCommand,
  reproduceCommand,
  reviewCommand,
  gateCommand,
  importCommand,
  datasetCommand,
  doctorCommand,
  serveCommand,
  workerCommand,
  tokenCommand,
]
