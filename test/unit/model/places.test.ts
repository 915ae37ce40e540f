/** The places of commands and hooks. */
import { fillPlaces, placesIn } from '@assay/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const open = '$'.concat('{')

describe('the places of an argument', () => {
  it('are named in order, escaped ones left out', () => {
    expect(placesIn(`--a=${open}x}${open}y}$${open}z}`)).toEqual(['x', 'y'])
  })

  it('are filled from texts; what has no text stays, and an escape becomes itself', () => {
    const texts = new Map([['x', `${open}y}`]])
    expect(fillPlaces(`${open}x} ${open}other} $${open}x}`, texts)).toBe(
      `${open}y} ${open}other} ${open}x}`,
    )
  })

  it('receive any text as it is, and never twice', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, text, after) => {
        fc.pre(!`${before}${after}`.includes('$') && !before.includes('}'))
        expect(fillPlaces(`${before}${open}x}${after}`, new Map([['x', text]]))).toBe(
          `${before}${text}${after}`,
        )
      }),
    )
  })
})
