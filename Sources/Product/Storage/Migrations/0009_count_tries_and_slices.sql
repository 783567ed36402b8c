-- why: a slice whose answer was lost must not be counted twice, and a job that kills its server each time must come to an end.
-- Number 0 and no tries are right for what is under way: the next attempt begins anew.

ALTER TABLE imports ADD COLUMN slice integer NOT NULL DEFAULT 0;   -- number of the last slice that this attempt stored
ALTER TABLE jobs ADD COLUMN tries integer NOT NULL DEFAULT 0;      -- claims that were not put back unharmed
