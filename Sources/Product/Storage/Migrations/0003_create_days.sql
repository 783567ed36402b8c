-- why: what every page, week and export reads: merged days, rings as delivered, and how closed days changed.

CREATE TABLE day_totals (                        -- P; key by type before day: one type's range is one stretch of the index
  person_id  bigint NOT NULL,
  exact      double precision NOT NULL,
  day        date NOT NULL,
  shown      integer NOT NULL,                   -- R(exact), merge.md 6: the one integer
  revision   integer NOT NULL DEFAULT 1,
  type       smallint NOT NULL,
  flags      smallint NOT NULL DEFAULT 0,
  slot_share double precision[] NOT NULL,        -- one per local hour or part of one
  -- Seconds since the day's first instant, seconds, hour + 32 · turn; all NULL on a plain day of 24 full hours.
  slot_start integer[], slot_length integer[], slot_code smallint[],
  -- What each source counted and what a better one hid: three lists of equal length, so that doubles stay bit for bit.
  source_id  smallint[] NOT NULL, source_counted double precision[] NOT NULL, source_hidden double precision[] NOT NULL,
  PRIMARY KEY (person_id, type, day));

CREATE TABLE activity_summaries (                -- P; as delivered, never recomputed
  person_id bigint NOT NULL, received_at timestamptz NOT NULL, client_id bigint NOT NULL,
  move double precision, move_goal double precision, exercise double precision, exercise_goal double precision,
  stand double precision, stand_goal double precision, day date NOT NULL, move_mode smallint NOT NULL,
  paused boolean NOT NULL DEFAULT false, PRIMARY KEY (person_id, day));

CREATE TABLE day_revisions (                     -- P; a shown number of a closed day became another (decisions.md "Revisions")
  person_id bigint NOT NULL, type smallint NOT NULL, day date NOT NULL, revision integer NOT NULL,
  at timestamptz NOT NULL, old integer NOT NULL, new integer, reason smallint NOT NULL, batch_id uuid, client_id bigint,
  PRIMARY KEY (person_id, type, day, revision));

CREATE TABLE year_facts (                        -- P; two bytes a day: streaks of any length in one row a year
  person_id bigint NOT NULL, year smallint NOT NULL, facts bytea NOT NULL, PRIMARY KEY (person_id, year));

CREATE TABLE stale_days (                        -- P; days whose total is not counted again yet; reason as in day_revisions
  person_id bigint NOT NULL, type smallint NOT NULL, day date NOT NULL, reason smallint NOT NULL,
  PRIMARY KEY (person_id, type, day));
