-- What the authority issued and revoked, keys and who they belong to, lists of revoked certificates.
-- Times are milliseconds since 1970; serials and digests are hexadecimal; authority is the SHA-256 of
-- the authority's public key, so that a new one begins with nothing.

CREATE TABLE ca_certificate (
  serial varchar(40) PRIMARY KEY,
  authority varchar(64) NOT NULL,
  subject varchar(1100) NOT NULL,
  owner varchar(600) NOT NULL,
  key_digest varchar(64) NOT NULL,
  issued bigint NOT NULL,
  not_after bigint NOT NULL,
  revoked bigint,
  reason varchar(30),
  listed bigint,
  der bytea NOT NULL
);
CREATE INDEX ca_certificate_owner ON ca_certificate (owner, not_after);
CREATE INDEX ca_certificate_revoked ON ca_certificate (revoked);

-- One row for every key that ever had a certificate: under that name and no other.
CREATE TABLE ca_key (
  digest varchar(64) PRIMARY KEY,
  subject varchar(1100) NOT NULL
);

CREATE TABLE ca_crl (
  number bigint PRIMARY KEY,
  authority varchar(64) NOT NULL,
  made bigint NOT NULL,
  next_update bigint NOT NULL,
  der bytea NOT NULL
);

-- Held for as long as a list is made: one node at a time.
CREATE TABLE ca_lock (
  name varchar(20) PRIMARY KEY
);
INSERT INTO ca_lock (name) VALUES ('crl');
