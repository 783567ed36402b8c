-- why: decisions about health data are recorded before anything is shown to anybody else; the program may add and read, never change.

CREATE TABLE consent_events (                    -- P; INSERT and SELECT only
  person_id bigint NOT NULL, event_no bigint NOT NULL, at timestamptz NOT NULL, grant_id bigint NOT NULL, actor_id bigint NOT NULL, acting_for bigint, actor_role smallint NOT NULL,
  event smallint NOT NULL, grantee_kind smallint NOT NULL, grantee_id bigint NOT NULL, type smallint NOT NULL, action smallint NOT NULL, detail smallint, first_day date, until timestamptz, week_start smallint,
  notice_id integer, notice_version integer, notice_language text, notice_sha256 bytea, lawful_basis text, method smallint NOT NULL, strength smallint, reason text, schema_version text NOT NULL,
  previous_hash bytea NOT NULL, hash bytea NOT NULL, PRIMARY KEY (person_id, event_no));
CREATE INDEX consent_events_at ON consent_events (at);
