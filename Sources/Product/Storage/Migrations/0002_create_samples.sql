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
