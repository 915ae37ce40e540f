/** The fourth schema: reviews. Times are milliseconds since 1970. */

/** DDL of `user_version` 4. */
export const schema4 = `
  -- Never changed and never deleted: a later word on the same rows is another review.
  CREATE TABLE review (
    review_key INTEGER PRIMARY KEY AUTOINCREMENT,
    run_key INTEGER NOT NULL REFERENCES run,
    at INTEGER NOT NULL,
    who TEXT NOT NULL CHECK (json_valid(who)),
    decision TEXT NOT NULL CHECK (decision IN ('accepted', 'rejected')),
    cells TEXT CHECK (json_valid(cells)), -- ids of the rows' cells; null for the whole report
    reason TEXT NOT NULL,
    samples_digest TEXT NOT NULL
  ) STRICT;
  CREATE INDEX review_of_run ON review (run_key, review_key);
`
