// Written by deploy/embed-migrations.sh from Migrations/*.sql. Do not edit.
// swift-format-ignore-file

/// The migrations as the program carries them: file name without .sql, and text.
enum EmbeddedMigrations {
  static let all: [(name: String, sql: String)] = [
    (
      name: "0001_create_people",
      sql: #"""
        -- why: who lives here and how they come in. Groups (storage.md 3): P by person_id, K by the unique text.

        CREATE TABLE persons (                           -- P; a person may have no account (a child)
          person_id      bigint PRIMARY KEY,
          created_at     timestamptz NOT NULL,
          erased_at      timestamptz,
          changed_at     timestamptz,                    -- the last upload or import that changed anything
          ingest_seq     bigint NOT NULL DEFAULT 0,      -- bumped by every upload transaction: serialises uploads, wakes live pages
          consent_seq    bigint NOT NULL DEFAULT 0,
          consent_count  bigint NOT NULL DEFAULT 0,
          consent_head   bytea,
          born           date,
          week_start     smallint NOT NULL DEFAULT 0,    -- 0 Monday … 6 Sunday, as everywhere in the program
          theme          smallint NOT NULL DEFAULT 0,
          include_manual boolean NOT NULL DEFAULT true,
          display_name   text NOT NULL,
          language       text NOT NULL DEFAULT 'en',
          -- The zones in which the person lived, oldest first. Arrays and not rows of their own: every page needs all of them,
          -- they are few, and so they come with the row that is read anyway. The first entry is '-infinity'.
          zone_since     timestamptz[] NOT NULL,
          zone_name      text[] NOT NULL,
          CHECK (cardinality(zone_since) = cardinality(zone_name) AND cardinality(zone_name) > 0));

        CREATE TABLE accounts (                          -- P
          person_id bigint PRIMARY KEY REFERENCES persons,
          login text NOT NULL, password text, role smallint NOT NULL DEFAULT 0, state smallint NOT NULL DEFAULT 0,
          created_at timestamptz NOT NULL);

        CREATE TABLE login_names (                       -- K; what makes a login unique in the whole house
          login text PRIMARY KEY, person_id bigint NOT NULL);

        CREATE TABLE server_facts (                      -- K; things that are true once for the whole house, such as "set_up"
          name text PRIMARY KEY, value text NOT NULL, at timestamptz NOT NULL);

        CREATE TABLE sessions (                          -- P; the role is copied: a change of role ends all sessions anyway
          person_id bigint NOT NULL REFERENCES persons, token_hash bytea NOT NULL,
          created_at timestamptz NOT NULL, seen_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, confirmed_at timestamptz,
          role smallint NOT NULL, strength smallint NOT NULL DEFAULT 1, form_key bytea NOT NULL, agent text NOT NULL DEFAULT '',
          PRIMARY KEY (person_id, token_hash));

        CREATE TABLE clients (                           -- P; a phone app, a bridge, a Shortcut, an importer: acts for exactly one person
          person_id bigint NOT NULL REFERENCES persons, client_id bigint NOT NULL,
          client_no smallint NOT NULL,                   -- what samples carry instead of the long id
          kind smallint NOT NULL,                        -- 0 files imported here, 1 a phone or a bridge
          feed smallint NOT NULL, name text NOT NULL,
          created_at timestamptz NOT NULL, seen_at timestamptz, ended_at timestamptz,
          PRIMARY KEY (person_id, client_id), UNIQUE (person_id, client_no));

        CREATE TABLE goals (                             -- P; weekday 0: every day, 1 Monday … 7 Sunday, 8: the week; goal NULL ends it
          person_id bigint NOT NULL REFERENCES persons, type smallint NOT NULL, weekday smallint NOT NULL, since date NOT NULL,
          goal double precision, PRIMARY KEY (person_id, type, weekday, since));

        CREATE TABLE pauses (                            -- P; both days belong to the pause
          person_id bigint NOT NULL REFERENCES persons, first_day date NOT NULL, last_day date NOT NULL,
          set_at timestamptz NOT NULL, actor_id bigint NOT NULL, note text, PRIMARY KEY (person_id, first_day));

        CREATE TABLE audit_log (                         -- P; INSERT and SELECT only
          person_id bigint NOT NULL, audit_id bigint NOT NULL, at timestamptz NOT NULL, actor_id bigint NOT NULL,
          action text NOT NULL, detail jsonb NOT NULL DEFAULT '{}', PRIMARY KEY (person_id, audit_id));
        CREATE INDEX audit_log_at ON audit_log USING brin (at);
        """#
    ),
    (
      name: "0002_create_samples",
      sql: #"""
        -- why: what phones counted, in rows that are never updated, with one index for "have it already" and for a day's range.

        CREATE TABLE sources (                           -- P; what counted: key and class of merge.md 2.2 and 3
          -- One key may come in two classes: of an Apple export the typed and the counted entries of one name.
          person_id bigint NOT NULL REFERENCES persons, source_id smallint NOT NULL, class smallint NOT NULL, position smallint,
          key text NOT NULL, device text NOT NULL DEFAULT '',
          PRIMARY KEY (person_id, source_id), UNIQUE (person_id, key, class));

        CREATE TABLE sample_zones (                      -- P; names of the zones of walks, for samples.zone_no
          person_id bigint NOT NULL REFERENCES persons, zone_no smallint NOT NULL, zone text NOT NULL,
          PRIMARY KEY (person_id, zone_no), UNIQUE (person_id, zone));

        CREATE TABLE samples (                           -- P; no foreign key on purpose: the row lock on persons proves the person
          person_id   bigint NOT NULL,
          started_at  timestamptz NOT NULL,              -- to the millisecond
          sample_key  uuid NOT NULL,                     -- first 16 bytes of SHA-256(feed, id or fingerprint): merge.md 8.1
          value       double precision NOT NULL,
          recorded_at timestamptz NOT NULL,
          duration_ms integer NOT NULL,
          type        smallint NOT NULL,
          source_id   smallint NOT NULL,
          client_no   smallint NOT NULL,
          zone_no     smallint,                          -- zone of the walk where the format vouches for it
          PRIMARY KEY (person_id, started_at, sample_key));
        -- A day reads started_at >= its begin - 6 h, and the rare longer ones here.
        CREATE INDEX samples_long ON samples (person_id, started_at) WHERE duration_ms > 21600000;

        CREATE TABLE sample_syncs (                      -- P; merge.md 8.3: the sample that stands for a writer's own identifier
          person_id bigint NOT NULL, source_id smallint NOT NULL, type smallint NOT NULL, sync_id text NOT NULL,
          version bigint NOT NULL, started_at timestamptz NOT NULL, sample_key uuid NOT NULL,
          PRIMARY KEY (person_id, source_id, type, sync_id));

        CREATE TABLE sample_tombstones (                 -- P; merge.md 8.2: a late upload stays dead
          person_id bigint NOT NULL, sample_key uuid NOT NULL, deleted_at timestamptz NOT NULL,
          PRIMARY KEY (person_id, sample_key));

        CREATE TABLE coverage (                          -- P; declared intervals as two lists of equal length: the arithmetic is Activity's
          person_id bigint NOT NULL, type smallint NOT NULL, client_id bigint NOT NULL,
          newest timestamptz, complete_from timestamptz[] NOT NULL DEFAULT '{}', complete_until timestamptz[] NOT NULL DEFAULT '{}',
          PRIMARY KEY (person_id, type, client_id));
        """#
    ),
    (
      name: "0003_create_days",
      sql: #"""
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
        """#
    ),
    (
      name: "0004_create_uploads_and_jobs",
      sql: #"""
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
        """#
    ),
    (
      name: "0005_create_consent_events",
      sql: #"""
        -- why: decisions about health data are recorded before anything is shown to anybody else; the program may add and read, never change.

        CREATE TABLE consent_events (                    -- P; INSERT and SELECT only
          person_id bigint NOT NULL, event_no bigint NOT NULL, at timestamptz NOT NULL, grant_id bigint NOT NULL, actor_id bigint NOT NULL, acting_for bigint, actor_role smallint NOT NULL,
          event smallint NOT NULL, grantee_kind smallint NOT NULL, grantee_id bigint NOT NULL, type smallint NOT NULL, action smallint NOT NULL, detail smallint, first_day date, until timestamptz, week_start smallint,
          notice_id integer, notice_version integer, notice_language text, notice_sha256 bytea, lawful_basis text, method smallint NOT NULL, strength smallint, reason text, schema_version text NOT NULL,
          previous_hash bytea NOT NULL, hash bytea NOT NULL, PRIMARY KEY (person_id, event_no));
        CREATE INDEX consent_events_at ON consent_events (at);
        """#
    ),
    (
      name: "0006_tune_storage",
      sql: #"""
        -- why: rows that change often get room beside them (HOT updates); rows that never change do not; vacuum in small steps (storage.md 3).
        ALTER TABLE persons SET (fillfactor = 80);
        ALTER TABLE day_totals SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
        ALTER TABLE year_facts SET (fillfactor = 70);
        ALTER TABLE sessions SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
        ALTER TABLE imports SET (fillfactor = 70);
        ALTER TABLE jobs SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
        ALTER TABLE stale_days SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
        ALTER TABLE samples SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
        """#
    ),
    (
      name: "0007_grant_rights",
      sql: #"""
        -- why: the program's pages and jobs run as stepwell_web, which may not change the past (consent events, audit) nor the schema.
        -- Where the role does not exist (a test, a database with one user) there is nothing to grant.
        DO $$
        BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'stepwell_web') THEN RETURN; END IF;
          REVOKE ALL ON ALL TABLES IN SCHEMA public FROM stepwell_web;
          GRANT USAGE ON SCHEMA public TO stepwell_web;
          GRANT SELECT, INSERT, UPDATE ON persons, accounts, clients, sources TO stepwell_web;
          GRANT SELECT ON schema_migrations TO stepwell_web;
          GRANT SELECT, INSERT ON login_names, server_facts, sample_zones, audit_log, consent_events TO stepwell_web;
          GRANT SELECT, INSERT, DELETE ON samples, sample_tombstones, day_revisions, refused_records TO stepwell_web;
          GRANT SELECT, INSERT, UPDATE, DELETE ON sessions, goals, pauses, sample_syncs, coverage, day_totals,
            activity_summaries, year_facts, stale_days, upload_batches, imports, jobs TO stepwell_web;
        END $$;
        """#
    ),
    (
      name: "0008_create_devices",
      sql: #"""
        -- why: phones come in by a token of their own and may bring only what their owner ticked; each decision is recorded (0005).

        CREATE TABLE upload_tokens (                     -- P; the token itself is shown once and kept nowhere
          person_id bigint NOT NULL, token_hash bytea NOT NULL, client_id bigint NOT NULL, hint text NOT NULL,
          created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, revoked_at timestamptz,
          PRIMARY KEY (person_id, token_hash));

        CREATE TABLE grants (                            -- P; the fold of consent_events, kept in the same transactions
          person_id bigint NOT NULL, grant_id bigint NOT NULL, grantee_id bigint NOT NULL, grantee_kind smallint NOT NULL,
          action smallint NOT NULL, type smallint NOT NULL, state smallint NOT NULL, detail smallint,
          first_day date, until timestamptz, event_no bigint NOT NULL,
          PRIMARY KEY (person_id, grant_id), UNIQUE (person_id, action, grantee_kind, grantee_id, type));

        CREATE TABLE notices (                           -- K; the texts that people agreed to, word for word
          notice_id integer NOT NULL, version integer NOT NULL, language text NOT NULL, text text NOT NULL, sha256 bytea NOT NULL,
          published_at timestamptz NOT NULL, PRIMARY KEY (notice_id, version, language));

        DO $$
        BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'stepwell_web') THEN RETURN; END IF;
          GRANT SELECT, INSERT, UPDATE ON upload_tokens, grants TO stepwell_web;
          GRANT SELECT, INSERT ON notices TO stepwell_web;
        END $$;
        """#
    ),
    (
      name: "0009_count_tries_and_slices",
      sql: #"""
        -- why: a slice whose answer was lost must not be counted twice, and a job that kills its server each time must come to an end.
        -- Number 0 and no tries are right for what is under way: the next attempt begins anew.

        ALTER TABLE imports ADD COLUMN slice integer NOT NULL DEFAULT 0;   -- number of the last slice that this attempt stored
        ALTER TABLE jobs ADD COLUMN tries integer NOT NULL DEFAULT 0;      -- claims that were not put back unharmed
        """#
    ),
    (
      name: "0010_keep_replies_per_device",
      sql: #"""
        -- why: two devices of a person may choose the same batch id, and what one may send the other may not: each has its own replies.

        ALTER TABLE upload_batches DROP CONSTRAINT upload_batches_pkey, ADD PRIMARY KEY (person_id, client_id, batch_id);
        """#
    ),
  ]
}
