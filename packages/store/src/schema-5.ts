/** The fifth schema: gates. Times are milliseconds since 1970. */

/** DDL of `user_version` 5. */
export const schema5 = `
  -- A run that is held against rules once it is over.
  CREATE TABLE gate (
    run_key INTEGER PRIMARY KEY REFERENCES run,
    rules TEXT NOT NULL CHECK (json_valid(rules)),
    confirm_rounds INTEGER, -- null: one measurement decides
    confirmation_run_key INTEGER UNIQUE REFERENCES run, -- null until regressions are measured again
    decided_at INTEGER -- null until there is nothing more to measure
  ) STRICT;
  CREATE INDEX gate_open ON gate (run_key) WHERE decided_at IS NULL;
`
