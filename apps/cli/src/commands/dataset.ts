/** `assay dataset`: the repositories that benchmarks run on, made ready and kept beside the store. */
import { Command } from 'commander'
import type { Surroundings } from '../config.ts'
import { prepareCommand } from './dataset-prepare.ts'
import { listCommand, removeCommand, showCommand, verifyCommand } from './dataset-shelf.ts'

export const datasetCommand = (surroundings: Surroundings): Command =>
  new Command('dataset')
    .description('repositories that benchmarks run on')
    .addCommand(prepareCommand(surroundings))
    .addCommand(listCommand(surroundings))
    .addCommand(showCommand(surroundings))
    .addCommand(verifyCommand(surroundings))
    .addCommand(removeCommand(surroundings))
