/**
 * The second schema: tokens, kept as hashes, and the audit log of who changed what.
 *
 * Times are milliseconds since 1970. JSON columns hold values of the model's schemas.
 */

/** DDL of `user_version` 2. */
export const schema2 = `
  CREATE TABLE token (
    token_key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL UNIQUE, -- SHA-256 of its text, which is kept nowhere
    name TEXT NOT NULL,
    scopes TEXT NOT NULL CHECK (json_valid(scopes)),
    created_at INTEGER NOT NULL,
    expires_at INTEGER, -- null: never
    last_used_at INTEGER, -- to within a minute
    revoked_at INTEGER
  ) STRICT;

  -- A key is never used twice. Changes are kept for ever, of refusals the latest.
  CREATE TABLE audit (
    audit_key INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    who TEXT NOT NULL CHECK (json_valid(who)),
    action TEXT NOT NULL,
    object TEXT NOT NULL CHECK (json_valid(object)),
    status INTEGER, -- of the HTTP answer; null for the command line
    request_id TEXT
  ) STRICT;
  CREATE INDEX audit_refused ON audit (audit_key) WHERE status IN (401, 403);
`
