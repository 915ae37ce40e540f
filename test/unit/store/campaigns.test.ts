import { textDigest } from '@assay/model'
import { expect, it } from 'vitest'
import { openWithRun, yaml } from './example-run.ts'

it('a text is found by its digest and by its name, the newest first', () => {
  const { store, clock } = openWithRun([])
  clock.advance(10)
  const edited = store.campaigns.save({ name: 'mmap', yaml: `${yaml}# edited\n` })
  clock.advance(10)
  const other = store.campaigns.save({ name: 'other', yaml })
  expect(store.campaigns.get('mmap')).toEqual(edited)
  expect(store.campaigns.get(textDigest(yaml))).toEqual(other)
  expect(store.campaigns.get(edited.digest)?.yaml).toBe(`${yaml}# edited\n`)
  expect(store.campaigns.list()).toEqual([other, edited])
  expect(store.campaigns.get('nothing')).toBeNull()
})

it('an older text that is saved again is the newest of its name', () => {
  const { store, clock } = openWithRun([])
  clock.advance(10)
  store.campaigns.save({ name: 'mmap', yaml: 'edited' })
  clock.advance(10)
  store.campaigns.save({ name: 'mmap', yaml })
  expect(store.campaigns.get('mmap')?.yaml).toBe(yaml)
  expect(store.campaigns.list()).toHaveLength(1)
})
