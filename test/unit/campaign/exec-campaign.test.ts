/** A campaign from a command line: what is typed is what is measured. */
import { type ExecCampaign, execCampaign, parseCampaign, shellWords } from '@assay/campaign'
import type { Campaign } from '@assay/model'
import { execaSync } from 'execa'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'

const read = (request: ExecCampaign): Campaign => {
  const parsed = parseCampaign(execCampaign(request), { file: 'exec', catalogue })
  if (!parsed.ok) throw new Error(parsed.diagnostics.map(({ message }) => message).join('\n'))
  return parsed.campaign
}
const place = (name: string): string => `$${`{${name}}`}`

describe('the words of a command line', () => {
  it.each([
    ['sleep 0.1', ['sleep', '0.1']],
    ['  echo\t\'a b\'  "c $d" e\\ f ', ['echo', 'a b', 'c $d', 'e f']],
    ['a""b \'\' "\\"\\\\\\n"', ['ab', '', '"\\\\n']],
    ['x\'y\'"z"', ['xyz']],
    [`run ${place('a b')}c`, ['run', `${place('a b')}c`]],
    ['a\\\nb', ['ab']],
    ['--glob=* ~ #x', ['--glob=*', '~', '#x']],
  ])('%j are %j', (line, words) => {
    expect(shellWords(line)).toEqual(words)
  })

  it.each([
    ["echo 'a", "a closing ' is missing"],
    ['echo "a', 'a closing " is missing'],
    ['echo \\', 'nothing follows its last backslash'],
    [' ', 'it is empty'],
    ['a | b', '| needs a shell; add --shell, or put it in quotes'],
    ['a > b', '> needs a shell'],
    ['a; b', '; needs a shell'],
    ['a `b`', '` needs a shell'],
  ])('%j are refused: %s', (line, why) => {
    expect(() => shellWords(line)).toThrow(why)
  })

  it('are those of a shell, for anything that needs no expansion', () => {
    const piece = fc.oneof(
      fc.constantFrom(' ', '\t', "'", '"', '\\', "''", '""', "' '", '" "', '\\"', "\\'", '\\ '),
      fc.string({ unit: fc.constantFrom(...'abc.-=/:,+@%^_0') }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const line = `x${pieces.join('')}`
        const shell = execaSync(
          'sh',
          ['-c', `set -f; for w in ${line}\ndo printf '%s\\0' "$w"; done`],
          { reject: false, stripFinalNewline: false },
        )
        const words = (() => {
          try {
            return shellWords(line)
          } catch {
            return null
          }
        })()
        if (words === null) return
        expect(shell.stdout).toBe(words.map((word) => `${word}\0`).join(''))
      }),
      { numRuns: 60 },
    )
  })
})

describe('the campaign of a command line', () => {
  it('compares its commands under their own texts', () => {
    const { compare, benchmarks, engines, name } = read({ commands: ['sleep 0.1', "echo 'a b'"] })
    expect(name).toBe('exec')
    expect(compare).toEqual({
      factor: 'command',
      levels: [
        { label: 'sleep 0.1', level: 'sleep 0.1', command: ['sleep', '0.1'] },
        { label: "echo 'a b'", level: "echo 'a b'", command: ['echo', 'a b'] },
      ],
    })
    expect(benchmarks).toEqual([{ name: 'exec', parameters: {}, command: null }])
    expect(engines.map((engine) => engine.name)).toEqual(['exec'])
  })

  it('has every option of the command line', () => {
    const { benchmarks, sampling } = read({
      commands: [`cp x ${place('to')}`, `mv x ${place('to')}`],
      hooks: {
        setup: 'mkdir d',
        prepare: 'touch x',
        conclude: `rm ${place('to')}`,
        cleanup: 'rm -r d',
      },
      warmups: 3,
      rounds: '12..40',
      exitCodes: [0, 2],
      parameters: [{ name: 'to', levels: ['a', '007'] }],
    })
    expect(benchmarks[0]).toMatchObject({
      parameters: { to: ['a', '007'] },
      execution: {
        hooks: {
          setup: ['mkdir', 'd'],
          prepare: ['touch', 'x'],
          conclude: ['rm', place('to')],
          cleanup: ['rm', '-r', 'd'],
        },
        exitCodes: [0, 2],
      },
    })
    expect(sampling).toMatchObject({ warmups: 3, rounds: { min: 12, max: 40 } })
  })

  it('compares the levels of a parameter where there is one command', () => {
    const { compare, benchmarks } = read({
      commands: [`sleep ${place('t')}`],
      parameters: [{ name: 't', levels: ['1', '2'] }],
      exitCodes: 'any',
    })
    expect(compare.levels.map(({ level }) => level)).toEqual(['1', '2'])
    expect(benchmarks[0]).toMatchObject({
      command: ['sleep', place('t')],
      execution: { exitCodes: 'any' },
    })
  })

  it('runs lines and hooks by a shell if asked', () => {
    const { compare, benchmarks } = read({
      ...{ commands: ['a | b', 'a'], shell: true, hooks: { prepare: 'x > y' } },
    })
    expect(compare.levels[0]?.command).toEqual(['sh', '-c', 'a | b'])
    expect(benchmarks[0]?.execution?.hooks.prepare).toEqual(['sh', '-c', 'x > y'])
  })

  it('labels any commands so that they can be told apart, printed and read back', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }),
            fc.constantFrom(
              ' ',
              '#',
              '<<',
              '__proto__',
              '*a',
              '&a',
              '? a',
              '~',
              '---',
              '- a',
              '!x',
            ),
          ),
          { minLength: 2, maxLength: 4 },
        ),
        (commands) => {
          fc.pre(commands.every((command) => !command.includes('\0')))
          const { compare } = read({ commands, shell: true })
          expect(compare.levels.map((level) => level.command?.[2])).toEqual(commands)
          expect(new Set(compare.levels.map(({ label }) => label)).size).toBe(commands.length)
        },
      ),
    )
  })
})
