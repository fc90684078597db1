-- OAuth 2 clients, grants, tokens (digests only), consents, signing keys and rules for scopes.
-- Times are seconds since 1970.

CREATE TABLE oauth_client (
  client_id varchar(100) PRIMARY KEY,
  name varchar(200) NOT NULL,
  secret_digest varchar(64),
  redirect_uris text NOT NULL,
  logout_uris text NOT NULL,
  grant_types varchar(400) NOT NULL,
  scopes text NOT NULL,
  audiences text NOT NULL,
  consent boolean NOT NULL,
  second_factor boolean NOT NULL,
  algorithm varchar(5) NOT NULL,
  access_seconds bigint NOT NULL,
  refresh_seconds bigint NOT NULL,
  created bigint NOT NULL
);

CREATE TABLE oauth_grant (
  id varchar(64) PRIMARY KEY,
  client_id varchar(100) NOT NULL REFERENCES oauth_client ON DELETE CASCADE,
  subject varchar(255) NOT NULL,
  session_id varchar(22),
  session varchar(1000),
  version integer NOT NULL,
  expires bigint NOT NULL,
  body text NOT NULL
);
CREATE INDEX oauth_grant_client ON oauth_grant (client_id);
CREATE INDEX oauth_grant_subject ON oauth_grant (subject);
CREATE INDEX oauth_grant_session ON oauth_grant (session_id);
CREATE INDEX oauth_grant_expires ON oauth_grant (expires);

CREATE TABLE oauth_token (
  digest varchar(64) PRIMARY KEY,
  grant_id varchar(64) NOT NULL REFERENCES oauth_grant ON DELETE CASCADE,
  kind varchar(20) NOT NULL
);
CREATE INDEX oauth_token_grant ON oauth_token (grant_id);

CREATE TABLE oauth_consent (
  client_id varchar(100) NOT NULL REFERENCES oauth_client ON DELETE CASCADE,
  subject varchar(255) NOT NULL,
  scopes text NOT NULL,
  PRIMARY KEY (client_id, subject)
);

CREATE TABLE oauth_key (
  algorithm varchar(5) NOT NULL,
  generation integer NOT NULL,
  jwk text NOT NULL,
  published bigint NOT NULL,
  signs_from bigint NOT NULL,
  PRIMARY KEY (algorithm, generation)
);

CREATE TABLE oauth_secret (
  name varchar(40) PRIMARY KEY,
  content varchar(200) NOT NULL
);

CREATE TABLE oauth_scope_rule (
  holder varchar(300) NOT NULL,
  scope varchar(1000) NOT NULL,
  PRIMARY KEY (holder, scope)
);
