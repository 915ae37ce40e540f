/**
 * The second schema: tokens and the audit log. Nothing of it is kept yet; the version is taken, so
 * that stores of version 3 can be told from it.
 */

/** DDL of `user_version` 2. */
export const schema2 = ''
