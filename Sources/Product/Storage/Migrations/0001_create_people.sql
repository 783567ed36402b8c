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
