-- What the migrations make; written by SchemaTests.
CREATE TABLE public.accounts (
    person_id bigint NOT NULL,
    login text NOT NULL,
    password text,
    role smallint DEFAULT 0 NOT NULL,
    state smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.activity_summaries (
    person_id bigint NOT NULL,
    received_at timestamp with time zone NOT NULL,
    client_id bigint NOT NULL,
    move double precision,
    move_goal double precision,
    exercise double precision,
    exercise_goal double precision,
    stand double precision,
    stand_goal double precision,
    day date NOT NULL,
    move_mode smallint NOT NULL,
    paused boolean DEFAULT false NOT NULL
);
CREATE TABLE public.audit_log (
    person_id bigint NOT NULL,
    audit_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor_id bigint NOT NULL,
    action text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE public.clients (
    person_id bigint NOT NULL,
    client_id bigint NOT NULL,
    client_no smallint NOT NULL,
    kind smallint NOT NULL,
    feed smallint NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone,
    ended_at timestamp with time zone
);
CREATE TABLE public.consent_events (
    person_id bigint NOT NULL,
    event_no bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    grant_id bigint NOT NULL,
    actor_id bigint NOT NULL,
    acting_for bigint,
    actor_role smallint NOT NULL,
    event smallint NOT NULL,
    grantee_kind smallint NOT NULL,
    grantee_id bigint NOT NULL,
    type smallint NOT NULL,
    action smallint NOT NULL,
    detail smallint,
    first_day date,
    until timestamp with time zone,
    week_start smallint,
    notice_id integer,
    notice_version integer,
    notice_language text,
    notice_sha256 bytea,
    lawful_basis text,
    method smallint NOT NULL,
    strength smallint,
    reason text,
    schema_version text NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL
);
CREATE TABLE public.coverage (
    person_id bigint NOT NULL,
    type smallint NOT NULL,
    client_id bigint NOT NULL,
    newest timestamp with time zone,
    complete_from timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    complete_until timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL
);
CREATE TABLE public.day_revisions (
    person_id bigint NOT NULL,
    type smallint NOT NULL,
    day date NOT NULL,
    revision integer NOT NULL,
    at timestamp with time zone NOT NULL,
    old integer NOT NULL,
    new integer,
    reason smallint NOT NULL,
    batch_id uuid,
    client_id bigint
);
CREATE TABLE public.day_totals (
    person_id bigint NOT NULL,
    exact double precision NOT NULL,
    day date NOT NULL,
    shown integer NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    type smallint NOT NULL,
    flags smallint DEFAULT 0 NOT NULL,
    slot_share double precision[] NOT NULL,
    slot_start integer[],
    slot_length integer[],
    slot_code smallint[],
    source_id smallint[] NOT NULL,
    source_counted double precision[] NOT NULL,
    source_hidden double precision[] NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.goals (
    person_id bigint NOT NULL,
    type smallint NOT NULL,
    weekday smallint NOT NULL,
    since date NOT NULL,
    goal double precision
);
CREATE TABLE public.grants (
    person_id bigint NOT NULL,
    grant_id bigint NOT NULL,
    grantee_id bigint NOT NULL,
    grantee_kind smallint NOT NULL,
    action smallint NOT NULL,
    type smallint NOT NULL,
    state smallint NOT NULL,
    detail smallint,
    first_day date,
    until timestamp with time zone,
    event_no bigint NOT NULL
);
CREATE TABLE public.imports (
    person_id bigint NOT NULL,
    import_id bigint NOT NULL,
    client_id bigint,
    bytes bigint NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    records bigint DEFAULT 0 NOT NULL,
    stored bigint DEFAULT 0 NOT NULL,
    stored_before bigint DEFAULT 0 NOT NULL,
    duplicate bigint DEFAULT 0 NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    summaries bigint DEFAULT 0 NOT NULL,
    removed bigint DEFAULT 0 NOT NULL,
    days integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    first_at timestamp with time zone,
    last_at timestamp with time zone,
    attempt integer DEFAULT 0 NOT NULL,
    state smallint NOT NULL,
    name text NOT NULL,
    problem text,
    slice integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE public.jobs (
    bucket smallint NOT NULL,
    job_id bigint NOT NULL,
    person_id bigint NOT NULL,
    run_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    leased_by text,
    attempts integer DEFAULT 0 NOT NULL,
    asked integer DEFAULT 1 NOT NULL,
    kind smallint NOT NULL,
    last_error text,
    tries integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500');
CREATE TABLE public.login_names (
    login text NOT NULL,
    person_id bigint NOT NULL
);
CREATE TABLE public.notices (
    notice_id integer NOT NULL,
    version integer NOT NULL,
    language text NOT NULL,
    text text NOT NULL,
    sha256 bytea NOT NULL,
    published_at timestamp with time zone NOT NULL
);
CREATE TABLE public.pauses (
    person_id bigint NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    set_at timestamp with time zone NOT NULL,
    actor_id bigint NOT NULL,
    note text
);
CREATE TABLE public.persons (
    person_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    erased_at timestamp with time zone,
    changed_at timestamp with time zone,
    ingest_seq bigint DEFAULT 0 NOT NULL,
    consent_seq bigint DEFAULT 0 NOT NULL,
    consent_count bigint DEFAULT 0 NOT NULL,
    consent_head bytea,
    born date,
    week_start smallint DEFAULT 0 NOT NULL,
    theme smallint DEFAULT 0 NOT NULL,
    include_manual boolean DEFAULT true NOT NULL,
    display_name text NOT NULL,
    language text DEFAULT 'en'::text NOT NULL,
    zone_since timestamp with time zone[] NOT NULL,
    zone_name text[] NOT NULL,
    CONSTRAINT persons_check CHECK (((cardinality(zone_since) = cardinality(zone_name)) AND (cardinality(zone_name) > 0)))
)
WITH (fillfactor='80');
CREATE TABLE public.refused_records (
    person_id bigint NOT NULL,
    import_id bigint NOT NULL,
    record bigint NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL
);
CREATE TABLE public.sample_syncs (
    person_id bigint NOT NULL,
    source_id smallint NOT NULL,
    type smallint NOT NULL,
    sync_id text NOT NULL,
    version bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    sample_key uuid NOT NULL
);
CREATE TABLE public.sample_tombstones (
    person_id bigint NOT NULL,
    sample_key uuid NOT NULL,
    deleted_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sample_zones (
    person_id bigint NOT NULL,
    zone_no smallint NOT NULL,
    zone text NOT NULL
);
CREATE TABLE public.samples (
    person_id bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    sample_key uuid NOT NULL,
    value double precision NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    type smallint NOT NULL,
    source_id smallint NOT NULL,
    client_no smallint NOT NULL,
    zone_no smallint
)
WITH (autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    sha256 bytea NOT NULL
);
CREATE TABLE public.server_facts (
    name text NOT NULL,
    value text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.sessions (
    person_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    role smallint NOT NULL,
    strength smallint DEFAULT 1 NOT NULL,
    form_key bytea NOT NULL,
    agent text DEFAULT ''::text NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.sources (
    person_id bigint NOT NULL,
    source_id smallint NOT NULL,
    class smallint NOT NULL,
    "position" smallint,
    key text NOT NULL,
    device text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.stale_days (
    person_id bigint NOT NULL,
    type smallint NOT NULL,
    day date NOT NULL,
    reason smallint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');
CREATE TABLE public.upload_batches (
    person_id bigint NOT NULL,
    batch_id uuid NOT NULL,
    client_id bigint NOT NULL,
    received_at timestamp with time zone NOT NULL,
    body_hash bytea NOT NULL,
    reply bytea NOT NULL
);
CREATE TABLE public.upload_tokens (
    person_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    client_id bigint NOT NULL,
    hint text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);
CREATE TABLE public.year_facts (
    person_id bigint NOT NULL,
    year smallint NOT NULL,
    facts bytea NOT NULL
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (person_id);
ALTER TABLE ONLY public.activity_summaries
    ADD CONSTRAINT activity_summaries_pkey PRIMARY KEY (person_id, day);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (person_id, audit_id);
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_person_id_client_no_key UNIQUE (person_id, client_no);
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (person_id, client_id);
ALTER TABLE ONLY public.consent_events
    ADD CONSTRAINT consent_events_pkey PRIMARY KEY (person_id, event_no);
ALTER TABLE ONLY public.coverage
    ADD CONSTRAINT coverage_pkey PRIMARY KEY (person_id, type, client_id);
ALTER TABLE ONLY public.day_revisions
    ADD CONSTRAINT day_revisions_pkey PRIMARY KEY (person_id, type, day, revision);
ALTER TABLE ONLY public.day_totals
    ADD CONSTRAINT day_totals_pkey PRIMARY KEY (person_id, type, day);
ALTER TABLE ONLY public.goals
    ADD CONSTRAINT goals_pkey PRIMARY KEY (person_id, type, weekday, since);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_person_id_action_grantee_kind_grantee_id_type_key UNIQUE (person_id, action, grantee_kind, grantee_id, type);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (person_id, grant_id);
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (person_id, import_id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (bucket, job_id);
ALTER TABLE ONLY public.login_names
    ADD CONSTRAINT login_names_pkey PRIMARY KEY (login);
ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (notice_id, version, language);
ALTER TABLE ONLY public.pauses
    ADD CONSTRAINT pauses_pkey PRIMARY KEY (person_id, first_day);
ALTER TABLE ONLY public.persons
    ADD CONSTRAINT persons_pkey PRIMARY KEY (person_id);
ALTER TABLE ONLY public.refused_records
    ADD CONSTRAINT refused_records_pkey PRIMARY KEY (person_id, import_id, record);
ALTER TABLE ONLY public.sample_syncs
    ADD CONSTRAINT sample_syncs_pkey PRIMARY KEY (person_id, source_id, type, sync_id);
ALTER TABLE ONLY public.sample_tombstones
    ADD CONSTRAINT sample_tombstones_pkey PRIMARY KEY (person_id, sample_key);
ALTER TABLE ONLY public.sample_zones
    ADD CONSTRAINT sample_zones_person_id_zone_key UNIQUE (person_id, zone);
ALTER TABLE ONLY public.sample_zones
    ADD CONSTRAINT sample_zones_pkey PRIMARY KEY (person_id, zone_no);
ALTER TABLE ONLY public.samples
    ADD CONSTRAINT samples_pkey PRIMARY KEY (person_id, started_at, sample_key);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.server_facts
    ADD CONSTRAINT server_facts_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (person_id, token_hash);
ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_person_id_key_class_key UNIQUE (person_id, key, class);
ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_pkey PRIMARY KEY (person_id, source_id);
ALTER TABLE ONLY public.stale_days
    ADD CONSTRAINT stale_days_pkey PRIMARY KEY (person_id, type, day);
ALTER TABLE ONLY public.upload_batches
    ADD CONSTRAINT upload_batches_pkey PRIMARY KEY (person_id, client_id, batch_id);
ALTER TABLE ONLY public.upload_tokens
    ADD CONSTRAINT upload_tokens_pkey PRIMARY KEY (person_id, token_hash);
ALTER TABLE ONLY public.year_facts
    ADD CONSTRAINT year_facts_pkey PRIMARY KEY (person_id, year);
CREATE INDEX audit_log_at ON public.audit_log USING brin (at);
CREATE INDEX consent_events_at ON public.consent_events USING btree (at);
CREATE INDEX jobs_due ON public.jobs USING btree (bucket, run_at);
CREATE INDEX samples_long ON public.samples USING btree (person_id, started_at) WHERE (duration_ms > 21600000);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.persons(person_id);
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.persons(person_id);
ALTER TABLE ONLY public.goals
    ADD CONSTRAINT goals_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.persons(person_id);
ALTER TABLE ONLY public.pauses
    ADD CONSTRAINT pauses_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.persons(person_id);
ALTER TABLE ONLY public.sample_zones
    ADD CONSTRAINT sample_zones_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.persons(person_id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.persons(person_id);
ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.persons(person_id);
