/** The command line by its own function: what a program that calls it relies on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACCESS_MODES, type CliIo, createRepository, runCli, utf8ByteString } from '@assay/revlog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let scratch = ''
let repository = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-cli-'))
  repository = join(scratch, 'repo')
  const writer = createRepository(repository)
  for (let rev = 0; rev < 5; rev++) {
    writer.commit({
      p1: rev - 1,
      p2: -1,
      user: utf8ByteString('Zoë <z@example.org>'),
      time: 1_700_000_000 + rev,
      timezoneSeconds: rev % 2 === 0 ? 12_600 : -20_700,
      description: `change ${rev}\nsecond line`,
      files: [{ kind: 'write', path: 'file', content: Buffer.from(`${rev}\n`) }],
    })
  }
  writer.close()
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('log', () => {
  test('the default form shows rev, node, names, user, date in its own zone, and first line', () => {
    const { status, out } = run(['log', '-l', '2'])
    expect(status).toBe(0)
    expect(out.replaceAll(/:[0-9a-f]{12}/g, ':NODE')).toBe(
      'changeset:   4:NODE\ntag:         tip\nuser:        Zoë <z@example.org>\n' +
        'date:        Tue Nov 14 18:43:24 2023 -0330\nsummary:     change 4\n\n' +
        'changeset:   3:NODE\nuser:        Zoë <z@example.org>\n' +
        'date:        Wed Nov 15 03:58:23 2023 +0545\nsummary:     change 3\n\n',
    )
  })

  test('HGENCODING decides what letters can be printed', () => {
    const user = ['log', '-r', 'tip', '-T', '{user}']
    expect(run(user, { HGENCODING: 'ascii' }).out).toBe('Zo? <z@example.org>')
    expect(run(user, { HGENCODING: 'ISO-8859-1' }).bytes[2]).toBe(0xeb)
    expect(run(user, { HGENCODING: 'klingon' })).toMatchObject({ status: 64, out: '' })
  })

  test('every revision is printed once, in the order it was asked for', () => {
    const revs = (...specs: string[]) =>
      run(['log', '-T', '{rev} ', ...specs.flatMap((spec) => ['-r', spec])]).out.trim()
    expect(revs('3:1', '2:4', '0')).toBe('3 2 1 4 0')
    expect(revs('-2')).toBe('3')
    expect(revs(':')).toBe('0 1 2 3 4')
    expect(revs('last(all(),2)')).toBe('3 4')
    expect(revs('1:null')).toBe('1 0 -1')
  })

  test('it prints in few writes', () => {
    expect(run(['log']).writes).toBe(1)
  })

  test('hidden changesets are not shown by mistake', () => {
    const obsstore = join(repository, '.hg', 'store', 'obsstore')
    writeFileSync(obsstore, Buffer.from([1]))
    expect(run(['log']).status).toBe(0)
    writeFileSync(obsstore, Buffer.from([1, 2, 3]))
    expect(run(['log'])).toMatchObject({ status: 2, out: '' })
    rmSync(obsstore)
  })

  test('a reader that goes away is no fault of the program', () => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    const io = { ...memoryIo().io, writeOut: () => throwIt(broken) }
    expect(runCli(['log', '-R', repository], io)).toBe(255)
  })
})

describe('templates', () => {
  test.each([
    ['{rev}\\t{branch}\\n', '4\tdefault\n'],
    ['{desc|firstline}|{files}|{tags}|{bookmarks}|{parents}', 'change 4|file|tip||'],
    [
      '{date|isodate} {date|hgdate} {date}',
      '2023-11-14 18:43 -0330 1700000004 12600 1700000004.012600',
    ],
    ['{date|shortdate} {date|rfc3339date}', '2023-11-14 2023-11-14T18:43:24-03:30'],
    ['\\{{rev}} \\\\', '{4} \\'],
    ['{p1rev} {p2rev} {p2node|short}', '3 -1 000000000000'],
  ])('%s', (template, expected) => {
    expect(run(['log', '-r', 'tip', '-T', template])).toMatchObject({ status: 0, out: expected })
  })

  test('what is not understood is refused, not printed empty', () => {
    for (const template of ['{nothing}', '{rev|nothing}', '{if(rev, "x")}', 'json', '{rev}\\x41']) {
      const { status, out, error } = run(['log', '-T', template])
      expect([template, status, out]).toEqual([template, 2, ''])
      expect(error).toContain('not supported yet')
    }
    expect(run(['log', '-T', '{rev}{'])).toMatchObject({ status: 64, out: '' })
    expect(run(['log', '-T', '{rev|isodate}']).status).toBe(2)
    expect(run(['log', '-T', '{constructor}']).status).toBe(2)
  })
})

describe('--debug', () => {
  test.each(ACCESS_MODES)('%s: one JSON line for each index and one for resources', (mode) => {
    const args = ['--mode', mode, '--mmap-threshold', '1', '--debug', 'debugindex', '-m']
    const lines = run(args).error.trimEnd().split('\n')
    expect(lines.every((line) => line.startsWith('debug: {'))).toBe(true)
    const records = lines.map((line): unknown => JSON.parse(line.slice('debug: '.length)))
    expect(records).toEqual([
      expect.objectContaining({
        kind: 'access',
        file: join(repository, '.hg/store/00manifest.i'),
        mode,
        used: mode === 'no-mmap' ? 'read' : 'mmap',
        populated: expect.any(String),
        bytes: expect.any(Number),
      }),
      {
        kind: 'resources',
        engineSeconds: expect.any(Number),
        minorFaultsAfterOpen: expect.any(Number),
        majorFaultsAfterOpen: expect.any(Number),
        anonBytes: expect.any(Number),
        mappedBytes: expect.any(Number),
      },
    ])
  })

  test('engineSeconds is the time on the given clock', () => {
    const memory = memoryIo()
    let seconds = 10
    const io = { ...memory.io, clockSeconds: () => seconds++ }
    runCli(['log', '-R', repository, '--debug', '-r', '0'], io)
    expect(memory.error()).toContain('"engineSeconds":1,')
  })

  test('only the changelog is opened for a log without tags', () => {
    const files = run(['log', '--debug']).error.match(/"file":"[^"]*"/g)
    expect(files).toEqual([`"file":"${join(repository, '.hg/store/00changelog.i')}"`])
  })
})

describe('usage', () => {
  test('--help teaches on standard output; no command at all teaches on standard error', () => {
    const help = run(['--help'])
    expect([help.status, help.error]).toEqual([0, ''])
    for (const word of ['log', 'debugindex', 'debugdata', ...ACCESS_MODES, 'exit status']) {
      expect(help.out).toContain(word)
    }
    expect(run([])).toMatchObject({ status: 64, out: '', error: help.out })
  })

  test('mistakes end with 64 and say what is wrong', () => {
    for (const [args, words] of [
      [['frob'], "unknown command 'frob'"],
      [['log', '--frob'], '--frob'],
      [['log', '-c'], 'no option -c'],
      [['debugindex', '-m', '-r', '1'], 'no option -r'],
      [['log', '--mode', 'fast'], 'no-mmap, mmap-no-populate'],
      [['log', '--mmap-threshold', '1MB'], 'number of bytes'],
      [['log', '-l', '0'], 'limit must be positive'],
      [['log', '-l', 'x'], 'limit must be a positive integer'],
      [['log', '-r', ''], 'must not be empty'],
      [['debugindex', '-c', '-m'], 'not both'],
      [['debugindex'], 'give -c, -m or a file'],
      [['debugdata', '-c'], 'one revision'],
    ] as const) {
      const { status, out, error } = run(args)
      expect([args, status, out]).toEqual([args, 64, ''])
      expect(error).toMatch(/^abort: /)
      expect(error).toContain(words)
    }
  })

  test('what is not there ends with 255', () => {
    expect(run(['log', '-r', '99']).error).toBe("abort: unknown revision '99'\n")
    expect(run(['debugdata', '-c', '99']).error).toBe('abort: invalid revision identifier 99\n')
    expect(run(['debugindex', 'missing']).status).toBe(255)
    const memory = memoryIo(scratch)
    expect(runCli(['log'], memory.io)).toBe(255)
    expect(memory.error()).toContain('no repository found')
    expect(run(['log', '-R', scratch]).error).toBe(`abort: repository ${scratch} not found\n`)
  })
})

function run(args: readonly string[], env: CliIo['env'] = {}) {
  const memory = memoryIo(repository, env)
  const status = runCli(args, memory.io)
  return { status, out: memory.out(), error: memory.error(), ...memory.raw() }
}

function memoryIo(cwd = repository, env: CliIo['env'] = {}) {
  const chunks: Uint8Array[] = []
  let error = ''
  const io: CliIo = {
    cwd,
    env,
    writeOut: (bytes) => chunks.push(bytes),
    writeError: (text) => {
      error += text
    },
    clockSeconds: () => performance.now() / 1000,
  }
  return {
    io,
    out: () => Buffer.concat(chunks).toString('utf8'),
    error: () => error,
    raw: () => ({ bytes: Buffer.concat(chunks), writes: chunks.length }),
  }
}

function throwIt(error: Error): never {
  throw error
}
