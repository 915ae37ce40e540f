/** How an engine reads its index files: the axis that Assay was made to compare. */
import { z } from 'zod'

/**
 * - `no-mmap`: read into private memory.
 * - `mmap-no-populate`: mapped, pages come by fault.
 * - `mmap-populate`: mapped, all pages brought in before the command goes on.
 * - `mmap-populate-thread`: mapped, pages brought in by a second thread meanwhile.
 *
 * Source: Mercurial changes 522b4d729e89 and b619ba39d10a.
 */
export const accessModeSchema = z.enum([
  'no-mmap',
  'mmap-no-populate',
  'mmap-populate',
  'mmap-populate-thread',
])
export type AccessMode = z.infer<typeof accessModeSchema>
