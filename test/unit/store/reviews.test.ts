/** Reviews are kept, and know whether their samples are still the judged ones. */
import { describe, expect, it } from 'vitest'
import { openWithRun, put, roundOf, take } from './example-run.ts'

const who = { tokenId: 't1', name: 'anna', address: null }
const cells = ['b1.c1', 'b1.c2']

describe('a review', () => {
  it('is kept with who, when and why, and stays when another comes', () => {
    const { store, clock } = openWithRun()
    const first = store.reviews.add('run-1', { decision: 'accepted', reason: 'agreed', who })
    clock.advance(5)
    store.reviews.add('run-1', { decision: 'rejected', reason: 'no', rows: ['b1.c2'], who })
    expect(store.reviews.ofRun('run-1')).toMatchObject([
      { ...first, rows: null, reason: 'agreed', who, current: true },
      { decision: 'rejected', rows: ['b1.c2'], at: first.at + 5, current: true },
    ])
  })

  it('is no longer current after another round, and is again of no other samples', () => {
    const { store } = openWithRun()
    take(store, 't1')
    put(store, 't1', roundOf(1, cells))
    const { samplesDigest } = store.reviews.add('run-1', {
      ...{ decision: 'accepted', reason: 'agreed', rows: ['b1.c2'], who },
    })
    expect(store.reviews.ofRun('run-1')).toMatchObject([{ current: true, samplesDigest }])
    put(store, 't1', { ...roundOf(1, cells), warmup: true })
    expect(store.reviews.ofRun('run-1')).toMatchObject([{ current: true }])
    put(store, 't1', roundOf(2, cells))
    expect(store.reviews.ofRun('run-1')).toMatchObject([{ current: false, samplesDigest }])
  })

  it('is no longer current while the run is marked invalid', () => {
    const { store } = openWithRun()
    store.reviews.add('run-1', { decision: 'accepted', reason: 'agreed', who })
    store.runs.mark('run-1', 'a backup ran')
    expect(store.reviews.ofRun('run-1')).toMatchObject([{ current: false }])
    store.runs.mark('run-1', null)
    expect(store.reviews.ofRun('run-1')).toMatchObject([{ current: true }])
  })

  it('of a run or a cell that is not there is refused', () => {
    const { store } = openWithRun()
    const add = (run: string, row: string) => () =>
      store.reviews.add(run, { decision: 'accepted', reason: 'x', rows: [row], who })
    expect(add('run-9', 'b1.c1')).toThrow('run-9')
    expect(add('run-1', 'b9.c9')).toThrow('b9.c9')
    expect(store.reviews.ofRun('run-1')).toEqual([])
  })
})
