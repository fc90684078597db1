-- The subjects of accounts that had their names for one are written down: nobody else gets them.
ALTER TABLE user_end ALTER COLUMN sub SET DATA TYPE VARCHAR(64);
UPDATE user_end SET sub = user_name WHERE sub IS NULL AND user_name IN (SELECT name FROM users);

-- Who a user of the directory is in tokens, by the identifier that the directory never gives to another entry. user_name is
-- the name under which that one came last; null where another has it by now.
CREATE TABLE directory_user (
  entry_id  VARCHAR(200) NOT NULL PRIMARY KEY,
  sub       VARCHAR(64)  NOT NULL UNIQUE,
  user_name VARCHAR(64)  UNIQUE
);

-- Entries that the directory made before this time (milliseconds since 1970) were known by their names and keep them as
-- subjects. 0 in a new database, where nobody was known.
CREATE TABLE directory_start (since BIGINT NOT NULL);
INSERT INTO directory_start (since)
  SELECT CASE WHEN EXISTS (SELECT 1 FROM users)
    THEN CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT) ELSE 0 END;

-- The name for which a second factor and its recovery codes were made, where it has moved to another name since.
ALTER TABLE second_factor ADD COLUMN sealed_for VARCHAR(64);
