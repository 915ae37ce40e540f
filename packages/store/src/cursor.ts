/** Page cursors: whole numbers joined by dots, opaque to whoever hands them back. */
import { badCursor } from './errors.ts'

/** The cursor that goes on after the row with this key. */
export const cursorOf = (key: readonly number[]): string => key.join('.')

/** The key inside a cursor of `length` numbers, or `bad-cursor`. */
export const keyOf = (cursor: string, length: number): readonly number[] => {
  const parts = cursor.split('.')
  if (parts.length !== length || !parts.every((part) => /^\d{1,15}$/.test(part))) {
    throw badCursor(cursor)
  }
  return parts.map(Number)
}

/** A page of a list. */
export interface PageRequest {
  /** Most rows of the page, at least 1. */
  readonly limit: number
  /** `nextCursor` of the page before; null for the first. */
  readonly cursor: string | null
}
