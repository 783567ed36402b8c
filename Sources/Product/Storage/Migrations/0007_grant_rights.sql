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
