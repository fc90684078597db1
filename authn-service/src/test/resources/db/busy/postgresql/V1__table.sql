-- A change of a table that somebody may be using.
ALTER TABLE busy ADD COLUMN more integer;
