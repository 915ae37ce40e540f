import { AssayError, failureOf, failureSchema, failureText } from '@assay/model'
import { expect, it } from 'vitest'

const remedyOf = (message: string): string | null =>
  failureOf(new AssayError({ code: 'x', kind: 'usage', message })).error.remedy

it.each([
  ['c.yaml: no such file; `assay init c.yaml` writes one', '`assay init c.yaml` writes one'],
  ['port 1 of ::1 is in use; choose another with `--port`', 'choose another with `--port`'],
  ['s.db is being written: wait; if it is a server: name it', 'wait; if it is a server: name it'],
  ['cell b1.c1 cannot be reproduced: the engine fake starts no program', null],
  ['stopped; rounds are saved. Go on with: assay resume 1', 'Go on with: assay resume 1'],
  ['the setup: usage of x is unknown', null],
])('the remedy in "%s" is %j', (message, remedy) => {
  expect(remedyOf(message)).toBe(remedy)
})

it('is one document of one schema, with what JSON cannot hold left out', () => {
  const details = { path: 'a', skipped: undefined, known: [1, null] }
  const error = new AssayError({ code: 'run-not-found', kind: 'not-found', message: 'm', details })
  const parsed: unknown = JSON.parse(failureText(error))
  expect(failureSchema.parse(parsed)).toEqual({
    error: {
      ...{ code: 'run-not-found', kind: 'not-found', message: 'm', remedy: null, exitCode: 2 },
      details: { path: 'a', known: [1, null] },
    },
  })
})

it('an error that is not ours is internal', () => {
  expect(failureOf(new TypeError('x is not a function')).error).toMatchObject({
    ...{ code: 'internal', kind: 'internal', message: 'x is not a function', exitCode: 4 },
  })
})
