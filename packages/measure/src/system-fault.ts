/** A system call that failed: the one way in which foreign functions tell it. */
import { getSystemErrorMap } from 'node:util'

/** `errno` and the C library's words for it. */
export class SystemFault extends Error {
  readonly errno: number

  constructor(errno: number) {
    super(getSystemErrorMap().get(-errno)?.[1] ?? `error ${errno}`)
    this.errno = errno
  }
}
