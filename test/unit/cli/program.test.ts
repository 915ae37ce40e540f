/** What every command shares: JSON where it is asked for, and exit codes in its help. */
import { expect, it } from 'vitest'
import { asksForJson, assayProgram } from '../../../apps/cli/src/program.ts'

type Command = ReturnType<typeof assayProgram>

const printed: string[] = []
const program = assayProgram({
  workingDirectory: '/',
  out: (text) => void printed.push(text),
  err: () => undefined,
  isTerminal: false,
  variable: () => undefined,
  now: () => 0,
  stop: new AbortController().signal,
})

const lineOf = (command: Command): string =>
  command.parent === null ? command.name() : `${lineOf(command.parent)} ${command.name()}`

const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

const leaves = leavesOf(program).map((command) => ({ line: lineOf(command), command }))

it.each(leaves)('$line prints JSON if asked, and its help tells the exit codes', ({ command }) => {
  expect(command.options.map(({ long }) => long)).toContain('--json')
  printed.length = 0
  command.outputHelp()
  expect(printed.join('').match(/^Exit codes:$/gm)).toHaveLength(1)
  expect(printed.join('')).toMatch(/^ {2}3 {2}something was not measured/m)
})

it('exit codes that are expected and exit codes that do not matter exclude each other', async () => {
  const line = ['exec', '--ignore-failure', '--exit-codes', '1', 'true', 'false']
  await expect(program.parseAsync(line, { from: 'user' })).rejects.toMatchObject({
    code: 'commander.conflictingOption',
  })
})

it('options end at a double dash', () => {
  expect(asksForJson(['report', '--json'])).toBe(true)
  expect(asksForJson(['exec', '--', 'a', '--json'])).toBe(false)
})
