/** The README's commands work as they stand there. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** Commands of the console blocks, each with the output printed below it. */
const commands = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...output] = text.trimEnd().split('\n')
      return { command, output: output.join('\n') }
    }),
)

describe('the README', () => {
  it('has a tour whose every command succeeds and prints what it shows', async () => {
    expect(commands.length).toBeGreaterThanOrEqual(6)
    const directory = mkdtempSync(join(tmpdir(), 'assay-readme-'))
    try {
      for (const { command, output } of commands) {
        const ended = await execa(command, {
          shell: true,
          cwd: directory,
          reject: false,
          preferLocal: true,
          localDir: root,
        })
        // A restless host makes a run doubtful (3); that is no fault of the README.
        expect([0, 3], `${command}: ${ended.stderr}`).toContain(ended.exitCode)
        if (output !== '') expect(ended.stdout).toBe(output)
      }
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('names both commands that do everything', () => {
    expect(readme).toContain('npm ci && npm run demo')
    expect(readme).toContain('npm ci && npm test')
  })
})
