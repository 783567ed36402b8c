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
