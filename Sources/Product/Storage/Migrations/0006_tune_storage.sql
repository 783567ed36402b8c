-- why: rows that change often get room beside them (HOT updates); rows that never change do not; vacuum in small steps (storage.md 3).
ALTER TABLE persons SET (fillfactor = 80);
ALTER TABLE day_totals SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE year_facts SET (fillfactor = 70);
ALTER TABLE sessions SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE imports SET (fillfactor = 70);
ALTER TABLE jobs SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE stale_days SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE samples SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
