import { AssayError, type ErrorKind, errorKindOf, httpStatusOf } from '@assay/model'
import { expect, it } from 'vitest'

it.each<ErrorKind>([
  'usage',
  'unauthenticated',
  'forbidden',
  'not-found',
  'conflict',
  'gone',
  'unmeasurable',
  'internal',
])('the kind %s survives its way over HTTP', (kind) => {
  const status = httpStatusOf(new AssayError({ code: 'x', kind, message: 'x' }))
  expect(errorKindOf(status)).toBe(kind)
})

it('a status that is none of ours is internal', () => {
  expect(errorKindOf(418)).toBe('internal')
})
