-- Times are milliseconds since 1970: written and compared by the service's own clock.
CREATE TABLE users (
  name          VARCHAR(64)  NOT NULL PRIMARY KEY,
  display_name  VARCHAR(200) NOT NULL,
  mail          VARCHAR(254),
  password_hash VARCHAR(512),
  enabled       BOOLEAN      NOT NULL,
  created_at    BIGINT       NOT NULL
);

CREATE TABLE user_group (
  user_name  VARCHAR(64)  NOT NULL REFERENCES users (name) ON DELETE CASCADE,
  group_path VARCHAR(256) NOT NULL,
  PRIMARY KEY (user_name, group_path)
);
CREATE INDEX user_group_by_group ON user_group (group_path, user_name);

-- By name and not by reference: users of LDAP have second factors too.
CREATE TABLE second_factor (
  user_name  VARCHAR(64) NOT NULL PRIMARY KEY,
  secret     VARBINARY(512),
  pending    VARBINARY(512),
  last_step  BIGINT      NOT NULL
);

CREATE TABLE recovery_code (
  user_name VARCHAR(64) NOT NULL REFERENCES second_factor (user_name) ON DELETE CASCADE,
  code_hash VARCHAR(64) NOT NULL,
  PRIMARY KEY (user_name, code_hash)
);

-- The subject is a hash: a password that somebody typed in place of a name is not to be read here.
CREATE TABLE login_failure (
  subject      VARCHAR(64) NOT NULL PRIMARY KEY,
  failures     INTEGER     NOT NULL,
  since        BIGINT      NOT NULL,
  locked_until BIGINT      NOT NULL
);
CREATE INDEX login_failure_by_age ON login_failure (since);
