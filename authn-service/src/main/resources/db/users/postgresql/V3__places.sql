-- Where somebody logged in from: guesses that others make do not keep that user out from there. The subject is a hash of the
-- name with the address; the time is milliseconds since 1970.
CREATE TABLE login_place (
  subject    VARCHAR(64) NOT NULL PRIMARY KEY,
  last_login BIGINT      NOT NULL
);
CREATE INDEX login_place_by_age ON login_place (last_login);
