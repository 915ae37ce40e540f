/** The README's tour over HTTP works as it stands there, against the compiled server. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgressSchema } from '@assay/model'
import { execa } from 'execa'
import { expect, it, vi } from 'vitest'
import { processesWith } from '../support/launching.ts'
import { startServer } from '../support/programs.ts'

const root = new URL('../..', import.meta.url).pathname

/** The block of commands that begins by naming the server. */
const tour = (): string => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, text = ''] = /```sh\n(api=[\s\S]*?)```/.exec(readme) ?? []
  return text
}

/** A `curl` that the tour finds first: the real one, which fails where the server refuses. */
const strictCurl = (folder: string): void => {
  const program = join(folder, 'curl')
  writeFileSync(program, '#!/bin/sh\nPATH=${PATH#*:} exec curl --fail-with-body "$@"\n')
  chmodSync(program, 0o755)
}

it('every request of the tour is answered, and does what it says', async () => {
  const text = tour()
  expect(text.match(/^(?:get|post) /gm)?.length).toBeGreaterThanOrEqual(15)
  const directory = mkdtempSync(join(tmpdir(), 'assay-tour-'))
  mkdirSync(join(directory, 'bin'))
  strictCurl(join(directory, 'bin'))
  const server = await startServer(directory, { campaigns: join(root, 'campaigns'), worker: true })
  try {
    const script = text.replace('http://127.0.0.1:7357', server.url)
    const PATH = `${join(directory, 'bin')}:${process.env['PATH'] ?? ''}`
    const ended = await execa('sh', ['-e'], {
      ...{ input: script, cwd: directory, reject: false, env: { PATH, ASSAY_TOKEN: server.token } },
    })
    expect(ended.exitCode, `${ended.stdout.slice(-600)}\n${ended.stderr}`).toBe(0)
    expect(ended.stdout).toContain('event: round')
    expect(ended.stdout).toContain('event: end')
    expect(ended.stdout).toMatch(/^no-populate: 0\.\d{6}/m)
    expect(ended.stdout).toContain('"drained":true')
    const look = async (run: string) =>
      runProgressSchema.parse(await (await fetch(`${server.url}/api/v1/runs/${run}`)).json())
    expect(await look('latest')).toMatchObject({ status: 'cancelled', priority: 10 })
    expect(await look('@-1')).toMatchObject({
      ...{ status: 'complete', labels: { branch: 'default' }, priority: 5 },
      invalid: { reason: 'another program was running' },
    })
  } finally {
    await server.stop('SIGTERM')
    await vi.waitFor(() => expect(processesWith(directory)).toEqual([]), { timeout: 20_000 })
    rmSync(directory, { recursive: true })
  }
})
