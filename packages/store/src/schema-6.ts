/** The sixth schema: cells whose hook cleanup failed. */

/** DDL of `user_version` 6. */
export const schema6 = `
  ALTER TABLE cell ADD COLUMN cleanup_fault TEXT; -- null for nearly all
`
