-- Delegations, the requests that wait for a proxy, and whose keys this service has had. Times are
-- milliseconds since 1970; owner is a certificate's subject as RFC 4514 writes it; key_digest is the
-- SHA-256 of a public key in hexadecimal; sealed is a private key under a master key; through is the id
-- of the delegation by which a service acted for the owner, where it was not the owner.

CREATE TABLE delegation (
  owner varchar(1100) NOT NULL,
  id varchar(128) NOT NULL,
  through varchar(128),
  version bigint NOT NULL,
  key_digest varchar(64) NOT NULL,
  sealed bytea NOT NULL,
  chain text NOT NULL,
  not_after bigint NOT NULL,
  fqans text NOT NULL,
  acquirers text NOT NULL,
  uses integer,
  used integer NOT NULL,
  hops integer NOT NULL,
  limited boolean NOT NULL,
  longest bigint NOT NULL,
  proxy_limited boolean NOT NULL,
  proxy_legacy boolean NOT NULL,
  path_left integer,
  created bigint NOT NULL,
  renewed bigint NOT NULL,
  PRIMARY KEY (owner, id)
);
CREATE INDEX delegation_id ON delegation (id);
CREATE INDEX delegation_not_after ON delegation (not_after);

-- By whom and what a delegation is looked for; its acquirers once more, one a row.
CREATE TABLE delegation_acquirer (
  acquirer varchar(1100) NOT NULL,
  id varchar(128) NOT NULL,
  owner varchar(1100) NOT NULL,
  PRIMARY KEY (acquirer, id, owner),
  FOREIGN KEY (owner, id) REFERENCES delegation (owner, id) ON DELETE CASCADE
);
CREATE INDEX delegation_acquirer_owner ON delegation_acquirer (owner, id);

-- A key that waits for its proxy; rules only where some were given.
CREATE TABLE delegation_request (
  key_digest varchar(64) PRIMARY KEY,
  owner varchar(1100) NOT NULL,
  id varchar(128) NOT NULL,
  through varchar(128),
  sealed bytea NOT NULL,
  acquirers text,
  uses integer,
  hops integer,
  limited boolean,
  longest bigint,
  not_after bigint NOT NULL
);
CREATE INDEX delegation_request_owner ON delegation_request (owner, id);
CREATE INDEX delegation_request_not_after ON delegation_request (not_after);

-- Every key that a proxy was put for, as long as the proxy lives: who shows a chain through one acts by
-- that delegation, whether it is still there or not.
CREATE TABLE delegation_key (
  key_digest varchar(64) PRIMARY KEY,
  owner varchar(1100) NOT NULL,
  id varchar(128) NOT NULL,
  not_after bigint NOT NULL
);
CREATE INDEX delegation_key_not_after ON delegation_key (not_after);
