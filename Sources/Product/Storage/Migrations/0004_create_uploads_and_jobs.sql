-- why: what came in, answered how, and the work that outlasts a request. Group B: by bucket.

CREATE TABLE upload_batches (                    -- P; the same batch gets the same reply
  person_id bigint NOT NULL, batch_id uuid NOT NULL, client_id bigint NOT NULL, received_at timestamptz NOT NULL,
  body_hash bytea NOT NULL, reply bytea NOT NULL, PRIMARY KEY (person_id, batch_id));

CREATE TABLE imports (                           -- P
  person_id bigint NOT NULL, import_id bigint NOT NULL, client_id bigint,
  bytes bigint NOT NULL, position bigint NOT NULL DEFAULT 0,
  records bigint NOT NULL DEFAULT 0,             -- of any kind, read so far
  stored bigint NOT NULL DEFAULT 0,
  stored_before bigint NOT NULL DEFAULT 0,       -- by attempts that were cut off: the next one meets these as duplicates
  duplicate bigint NOT NULL DEFAULT 0, refused bigint NOT NULL DEFAULT 0,
  summaries bigint NOT NULL DEFAULT 0, removed bigint NOT NULL DEFAULT 0, days integer NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL, ended_at timestamptz,
  first_at timestamptz, last_at timestamptz,     -- from the earliest to the latest instant that its samples touch
  attempt integer NOT NULL DEFAULT 0,            -- who holds it: a writer with an older number has lost it
  state smallint NOT NULL, name text NOT NULL, problem text,
  PRIMARY KEY (person_id, import_id));

CREATE TABLE refused_records (                   -- P; the first 10,000 of an import
  person_id bigint NOT NULL, import_id bigint NOT NULL, record bigint NOT NULL, reason text NOT NULL, detail text NOT NULL,
  PRIMARY KEY (person_id, import_id, record));

CREATE TABLE jobs (                              -- B; bucket = person_id mod 16, job_id = the import's id, or the person's for a recount
  bucket smallint NOT NULL, job_id bigint NOT NULL, person_id bigint NOT NULL,
  run_at timestamptz NOT NULL, leased_until timestamptz, leased_by text,
  attempts integer NOT NULL DEFAULT 0,
  asked integer NOT NULL DEFAULT 1,              -- a job that was asked for again while it ran is not done yet
  kind smallint NOT NULL, last_error text,
  PRIMARY KEY (bucket, job_id));
CREATE INDEX jobs_due ON jobs (bucket, run_at);
