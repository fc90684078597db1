-- What a user granted in sessions that began before this time (milliseconds since 1970) is over: the password was
-- changed, the user disabled, deleted or made anew, or all sessions were ended. By name and not by reference: it
-- outlives the user, so that a namesake inherits nothing, and users of LDAP have it too. The subject in tokens is the
-- name where sub is null: a later holder of the name has another.
CREATE TABLE user_end (
  user_name  VARCHAR(64) NOT NULL PRIMARY KEY,
  not_before BIGINT      NOT NULL,
  sub        VARCHAR(36) UNIQUE
);
INSERT INTO user_end (user_name, not_before) SELECT name, created_at FROM users;
