/**
 * `revlog serve --stdio`: the repository for whoever is at the other end of standard input and output,
 * which is what ssh starts.
 */
import { resolve } from 'node:path'
import { descriptorInput } from '../../bytes/byte-input.ts'
import { RevlogError } from '../../errors.ts'
import { RepositoryService } from '../../peer/repository-service.ts'
import { serveConnection } from '../../wire/server.ts'
import type { Command } from '../command.ts'
import { receiveOptions } from '../remote-place.ts'

/** Standard input. */
const INPUT_FD = 0

/** Serves. */
export const serveCommand: Command = {
  name: 'serve',
  options: { stdio: { type: 'boolean' } },
  help: `serve --stdio              serve the repository over standard input and output, as ssh starts it`,
  run(context) {
    const { args, io } = context
    if (!args.flag('stdio')) throw new RevlogError('unsupported', 'serve: only --stdio is there')
    const root = resolve(io.cwd, context.root())
    const say = (line: string): void => io.writeError(`${line}\n`)
    const service = new RepositoryService(receiveOptions(context, root, say))
    try {
      serveConnection({
        service,
        input: descriptorInput(INPUT_FD, 'standard input'),
        write: io.writeOut,
        writeError: io.writeError,
      })
    } finally {
      service.close()
    }
    return undefined
  },
}
