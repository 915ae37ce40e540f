/**
 * The third schema: pools, priorities and labels of runs, runs marked invalid, runs that a client
 * may ask for twice, the workers that were seen, and the events that followers read.
 *
 * Times are milliseconds since 1970. JSON columns hold values of the model's schemas.
 */

/** DDL of `user_version` 3. */
export const schema3 = `
  ALTER TABLE run ADD COLUMN priority INTEGER NOT NULL DEFAULT 0; -- the smaller number goes first
  ALTER TABLE run ADD COLUMN invalid_reason TEXT; -- null for a run that counts
  ALTER TABLE run ADD COLUMN invalid_at INTEGER;
  CREATE INDEX run_by_campaign ON run (campaign, campaign_digest);

  CREATE TABLE label (
    run_key INTEGER NOT NULL REFERENCES run,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run_key, key)
  ) STRICT, WITHOUT ROWID;

  -- What a client asked for under a key of its own, so that asking again starts nothing.
  CREATE TABLE idempotency (
    key TEXT NOT NULL PRIMARY KEY,
    request_digest TEXT NOT NULL,
    run_key INTEGER NOT NULL REFERENCES run,
    asked_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_by_age ON idempotency (asked_at);

  ALTER TABLE block ADD COLUMN pool TEXT NOT NULL DEFAULT 'default';
  CREATE INDEX block_waiting ON block (pool, status) WHERE status IN ('queued', 'taken');
  -- Attempts in a row that ended badly and saved no round.
  ALTER TABLE block ADD COLUMN losses INTEGER NOT NULL DEFAULT 0;

  -- Saved rounds when its holder took it, warmups apart.
  ALTER TABLE take ADD COLUMN rounds_at_start INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX stale_token_of_take ON stale_token (take_key, stale_at);

  CREATE TABLE worker (
    name TEXT NOT NULL PRIMARY KEY,
    pool TEXT NOT NULL,
    version TEXT NOT NULL,
    fingerprint TEXT NOT NULL CHECK (json_valid(fingerprint)),
    registered_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- A key is never used twice: it is where a follower goes on.
  CREATE TABLE event (
    event_key INTEGER PRIMARY KEY AUTOINCREMENT,
    run_key INTEGER NOT NULL REFERENCES run,
    at INTEGER NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)) -- without id, time and run
  ) STRICT;
  CREATE INDEX event_of_run ON event (run_key, event_key);
`
