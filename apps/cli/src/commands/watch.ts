/** `assay watch`: follow a run that another process measures, until it ends; then its report. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError, type RunProgress } from '@assay/model'
import { isWritten } from '@assay/store'
import { Command } from 'commander'
import { chosenStorePath, type Surroundings } from '../config.ts'
import { countText } from '../count-text.ts'
import { readStore } from '../read-store.ts'
import { openStatusLine } from '../status-line.ts'
import { printReport } from './execute.ts'
import { dbOption } from './options.ts'
import { formatOption, jsonIsFormat } from './report.ts'

/** How often the store is looked at: seldom enough not to disturb what is measured. */
const lookEveryMillis = 2000

const ended: ReadonlySet<string> = new Set(['complete', 'failed', 'cancelled'])

const lineOf = ({ id, status, blocks, samples }: RunProgress): string =>
  `run ${id} is ${status}: ${blocks.finished} of ${countText(blocks.total, 'block')}, ${countText(samples, 'sample')}`

const abandoned = (id: string): AssayError =>
  new AssayError({
    code: 'run-abandoned',
    kind: 'unmeasurable',
    message: `nobody is measuring this run; \`assay resume ${id}\` goes on`,
  })

export const watchCommand = (surroundings: Surroundings): Command =>
  new Command('watch')
    .description('follow a run of another process until it ends, then print its report')
    .argument('[run]', 'id, name, latest or @-1', 'latest')
    .addOption(dbOption())
    .addOption(formatOption())
    .addOption(jsonIsFormat())
    .action(async (reference: string, options: { db?: string; format: string }) => {
      const { stop } = surroundings
      const path = chosenStorePath(options, surroundings)
      const { id } = readStore(path, surroundings, (store) => store.runs.find(reference))
      const status = openStatusLine(surroundings)
      for (;;) {
        const progress = readStore(path, surroundings, (store) => store.runs.progress(id))
        status.show(lineOf(progress))
        if (ended.has(progress.status)) break
        if (isWritten(path) === false) {
          // It may have ended between looking and asking.
          const now = readStore(path, surroundings, (store) => store.runs.progress(id))
          if (ended.has(now.status)) continue
          status.end()
          throw abandoned(id)
        }
        // Ctrl-C ends the watching, not the run.
        await sleep(lookEveryMillis, undefined, { signal: stop }).catch(() => undefined)
        if (stop.aborted) return
      }
      status.end()
      process.exitCode = readStore(path, surroundings, (store) =>
        printReport(id, store, { surroundings, format: options.format }),
      )
    })
