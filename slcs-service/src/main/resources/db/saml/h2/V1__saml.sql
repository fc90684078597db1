-- Requests that went out, IDs that were used, sessions. Times are seconds since 1970.

CREATE TABLE saml_request (
  id varchar(100) PRIMARY KEY,
  provider varchar(1024) NOT NULL,
  door varchar(10) NOT NULL,
  browser varchar(64),
  return_to varchar(2000) NOT NULL,
  expires bigint NOT NULL
);
CREATE INDEX saml_request_expires ON saml_request (expires);

-- SHA-256 of kind, provider and ID: two nodes cannot both take one.
CREATE TABLE saml_consumed (
  digest varchar(64) PRIMARY KEY,
  expires bigint NOT NULL
);
CREATE INDEX saml_consumed_expires ON saml_consumed (expires);

CREATE TABLE saml_session (
  id varchar(64) PRIMARY KEY,
  provider varchar(1024) NOT NULL,
  name_id varchar(64) NOT NULL,
  session_index varchar(512) NOT NULL,
  body text NOT NULL,
  began bigint NOT NULL,
  until bigint NOT NULL,
  used bigint NOT NULL,
  bound_key varchar(64)
);
CREATE INDEX saml_session_name ON saml_session (name_id);
CREATE INDEX saml_session_until ON saml_session (until);
