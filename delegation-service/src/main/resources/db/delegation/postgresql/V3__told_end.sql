-- The end (not_after) of which the log was told in advance, by whichever node came first.
ALTER TABLE delegation ADD COLUMN told_end bigint DEFAULT 0 NOT NULL;
