-- user_version 6

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

CREATE TABLE block (
  block_key INTEGER PRIMARY KEY,
  run_key INTEGER NOT NULL REFERENCES run,
  id TEXT NOT NULL,
  position INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'taken', 'done', 'dead')),
  stop_reason TEXT
    CHECK (stop_reason IN ('precise', 'rounds', 'budget', 'failed', 'unsupported')),
  reason TEXT,
  attempts INTEGER NOT NULL DEFAULT 0, -- how often it was taken
  plan TEXT NOT NULL CHECK (json_valid(plan)), pool TEXT NOT NULL DEFAULT 'default', losses INTEGER NOT NULL DEFAULT 0,
  UNIQUE (run_key, id),
  UNIQUE (run_key, position)
) STRICT;

CREATE INDEX block_progress ON block (run_key, status);

CREATE INDEX block_queued ON block (run_key, position) WHERE status = 'queued';

CREATE INDEX block_taken ON block (block_key) WHERE status = 'taken';

CREATE INDEX block_waiting ON block (pool, status) WHERE status IN ('queued', 'taken');

CREATE TABLE campaign (
  digest TEXT NOT NULL,
  name TEXT NOT NULL,
  yaml TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (digest, name)
) STRICT;

CREATE INDEX campaign_by_name ON campaign (name, saved_at);

CREATE TABLE cell (
  cell_key INTEGER PRIMARY KEY,
  run_key INTEGER NOT NULL REFERENCES run,
  block_key INTEGER NOT NULL REFERENCES block,
  id TEXT NOT NULL,
  position INTEGER NOT NULL,
  label TEXT NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('queued', 'running', 'measured', 'failed', 'unsupported', 'skipped')),
  reason TEXT, cleanup_fault TEXT,
  UNIQUE (run_key, id),
  UNIQUE (block_key, position)
) STRICT;

CREATE INDEX cell_progress ON cell (run_key, status);

CREATE TABLE event (
  event_key INTEGER PRIMARY KEY AUTOINCREMENT,
  run_key INTEGER NOT NULL REFERENCES run,
  at INTEGER NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body)) -- without id, time and run
) STRICT;

CREATE INDEX event_of_run ON event (run_key, event_key);

CREATE TABLE gate (
  run_key INTEGER PRIMARY KEY REFERENCES run,
  rules TEXT NOT NULL CHECK (json_valid(rules)),
  confirm_rounds INTEGER, -- null: one measurement decides
  confirmation_run_key INTEGER UNIQUE REFERENCES run, -- null until regressions are measured again
  decided_at INTEGER -- null until there is nothing more to measure
) STRICT;

CREATE INDEX gate_open ON gate (run_key) WHERE decided_at IS NULL;

CREATE TABLE idempotency (
  key TEXT NOT NULL PRIMARY KEY,
  request_digest TEXT NOT NULL,
  run_key INTEGER NOT NULL REFERENCES run,
  asked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_by_age ON idempotency (asked_at);

CREATE TABLE job (
  job_key INTEGER PRIMARY KEY AUTOINCREMENT,
  pool TEXT NOT NULL,
  run_id TEXT NOT NULL,
  block_id TEXT NOT NULL,
  priority INTEGER NOT NULL, -- the smaller number goes first
  deliveries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER, -- when an unfinished delivery counts as lost; null while waiting
  UNIQUE (run_id, block_id)
) STRICT;

CREATE INDEX job_delivered ON job (pool, due_at) WHERE due_at IS NOT NULL;

CREATE INDEX job_waiting ON job (pool, priority, job_key) WHERE due_at IS NULL;

CREATE TABLE label (
  run_key INTEGER NOT NULL REFERENCES run,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (run_key, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric (
  round_key INTEGER NOT NULL,
  position INTEGER NOT NULL,
  name_key INTEGER NOT NULL REFERENCES metric_name,
  value REAL NOT NULL,
  PRIMARY KEY (round_key, position, name_key),
  FOREIGN KEY (round_key, position) REFERENCES sample
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_name (
  name_key INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE paused_pool (
  pool TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

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

CREATE TABLE round (
  round_key INTEGER PRIMARY KEY,
  take_key INTEGER NOT NULL REFERENCES take,
  warmup INTEGER NOT NULL CHECK (warmup IN (0, 1)),
  number INTEGER NOT NULL,
  digest TEXT NOT NULL,
  conditions TEXT NOT NULL CHECK (json_valid(conditions)),
  saved_at INTEGER NOT NULL,
  UNIQUE (take_key, warmup, number)
) STRICT;

CREATE TABLE run (
  run_key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT UNIQUE,
  campaign TEXT NOT NULL,
  campaign_digest TEXT NOT NULL,
  seed TEXT NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('planned', 'running', 'complete', 'failed', 'cancelled')),
  reason TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  plan TEXT NOT NULL CHECK (json_valid(plan)), priority INTEGER NOT NULL DEFAULT 0, invalid_reason TEXT, invalid_at INTEGER, -- without its blocks: each is with its block
  FOREIGN KEY (campaign_digest, campaign) REFERENCES campaign (digest, name)
) STRICT;

CREATE INDEX run_by_campaign ON run (campaign, campaign_digest);

CREATE INDEX run_open ON run (run_key) WHERE status IN ('planned', 'running');

CREATE TABLE sample (
  round_key INTEGER NOT NULL REFERENCES round,
  position INTEGER NOT NULL,
  cell_key INTEGER NOT NULL REFERENCES cell,
  outcome TEXT NOT NULL CHECK (outcome IN ('good', 'failed', 'timed-out', 'killed')),
  exit_code INTEGER,
  signal TEXT,
  wall_seconds REAL NOT NULL,
  user_seconds REAL NOT NULL,
  system_seconds REAL NOT NULL,
  peak_rss_bytes REAL, -- null where the launcher cannot know
  minor_faults INTEGER NOT NULL,
  major_faults INTEGER NOT NULL,
  voluntary_switches INTEGER NOT NULL,
  involuntary_switches INTEGER NOT NULL,
  blocks_in INTEGER NOT NULL,
  blocks_out INTEGER NOT NULL,
  loops INTEGER NOT NULL,
  stack_padding_bytes INTEGER NOT NULL,
  stderr TEXT NOT NULL,
  PRIMARY KEY (round_key, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE stale_token (
  token TEXT NOT NULL PRIMARY KEY,
  take_key INTEGER NOT NULL REFERENCES take,
  worker TEXT NOT NULL,
  taken_at INTEGER NOT NULL,
  stale_at INTEGER NOT NULL,
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX stale_token_of_take ON stale_token (take_key, stale_at);

CREATE TABLE take (
  take_key INTEGER PRIMARY KEY,
  block_key INTEGER NOT NULL REFERENCES block,
  number INTEGER NOT NULL,
  token TEXT UNIQUE, -- null while nobody holds the take
  worker TEXT NOT NULL,
  fingerprint TEXT NOT NULL CHECK (json_valid(fingerprint)),
  fingerprint_digest TEXT NOT NULL,
  taken_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  saved_rounds INTEGER NOT NULL DEFAULT 0,
  saved_warmups INTEGER NOT NULL DEFAULT 0,
  saved_samples INTEGER NOT NULL DEFAULT 0, rounds_at_start INTEGER NOT NULL DEFAULT 0, -- of rounds that are no warmups
  UNIQUE (block_key, number)
) STRICT;

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

CREATE TABLE worker (
  name TEXT NOT NULL PRIMARY KEY,
  pool TEXT NOT NULL,
  version TEXT NOT NULL,
  fingerprint TEXT NOT NULL CHECK (json_valid(fingerprint)),
  registered_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
