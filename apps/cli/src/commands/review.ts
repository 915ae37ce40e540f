/** `assay review`: accept or reject a report, or rows of it, before a change lands. */
import { addReviewRequestSchema, type Review } from '@assay/model'
import { reviewRun } from '@assay/orchestrator'
import { openStore } from '@assay/store'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { localActor } from '../local-user.ts'
import { readStore } from '../read-store.ts'
import { momentText } from '../time-text.ts'
import { dbOption, jsonOption } from './options.ts'

interface ReviewOptions {
  readonly db?: string
  readonly row?: readonly string[]
  readonly reason: string
  readonly json?: boolean
}

const reviewText = ({ decision, rows, who, at, reason, current }: Review): string => {
  const about = rows === null ? 'the report' : rows.join(', ')
  const stale = current ? '' : ' (on other samples than the run has now)'
  return `${about} ${decision} by ${who.name}, ${momentText(at)}${stale}: ${reason}\n`
}

const notEmpty = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('a review needs a reason')
  return text
}

const another = (row: string, rows: readonly string[] = []): readonly string[] => [...rows, row]

const listCommand = (surroundings: Surroundings): Command =>
  new Command('list')
    .description('what was decided on a run, oldest first')
    .argument('[run]', 'id, name, latest or @-1', 'latest')
    .addOption(dbOption())
    .addOption(jsonOption())
    .action((reference: string, options: { db?: string; json?: boolean }) => {
      const path = chosenStorePath(options, surroundings)
      const reviews = readStore(path, surroundings, (store) =>
        store.reviews.ofRun(store.runs.find(reference).id),
      )
      const text =
        options.json === true
          ? `${JSON.stringify(reviews, null, 2)}\n`
          : reviews.map(reviewText).join('')
      surroundings.out(text)
    })

const decideCommand = (
  { name, decision }: { readonly name: string; readonly decision: Review['decision'] },
  surroundings: Surroundings,
): Command =>
  new Command(name)
    .description(`${name} the report of a run, or rows of it`)
    .addArgument(new Argument('[run]', 'id, name, latest or @-1').default('latest'))
    .addOption(dbOption())
    .addOption(
      new Option('--row <cell>', 'only this row, e.g. b1.c2; may be given again').argParser(
        another,
      ),
    )
    .addOption(
      new Option('--reason <text>', 'for whoever reads it later')
        .argParser(notEmpty)
        .makeOptionMandatory(),
    )
    .addOption(jsonOption())
    .action((reference: string, options: ReviewOptions) => {
      const { row, reason, json } = options
      const path = chosenStorePath(options, surroundings)
      const store = openStore({ path, access: 'write', now: surroundings.now })
      try {
        const asked = { decision, reason, ...(row === undefined ? {} : { rows: row }) }
        const { id } = store.runs.find(reference)
        const review = reviewRun(
          id,
          { ...addReviewRequestSchema.parse(asked), who: localActor() },
          store,
        )
        surroundings.out(
          json === true ? `${JSON.stringify(review, null, 2)}\n` : reviewText(review),
        )
      } finally {
        store.close()
      }
    })

export const reviewCommand = (surroundings: Surroundings): Command => {
  const command = new Command('review')
    .description('accept or reject a report, or rows of it; decisions are kept for ever')
    .addHelpText(
      'after',
      `
A decision is about the samples that it was made on: more rounds, or a run that is marked invalid
later, leave it in the record, and it no longer counts at the gate.

Examples:
  assay review accept --row b2.c1 --reason "the price of checking hashes, agreed with the team"
  assay review reject latest --reason "the host was not quiet"
  assay review list`,
    )
  command.addCommand(decideCommand({ name: 'accept', decision: 'accepted' }, surroundings))
  command.addCommand(decideCommand({ name: 'reject', decision: 'rejected' }, surroundings))
  command.addCommand(listCommand(surroundings))
  return command
}
