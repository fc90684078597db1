-- Contracts of transfers: one row for each side that this host has in one. Times are milliseconds since
-- 1970; hashes are in hexadecimal; a base is what was signed (RFC 9421 section 2.5), its signature stands
-- beside it as its field had it. A statement is a file of its own (COSE), with the receipts of a log.

CREATE TABLE contract (
  side varchar(8) NOT NULL,
  id varchar(36) NOT NULL,
  state varchar(16) NOT NULL,
  area varchar(64) NOT NULL,
  path varchar(8192) NOT NULL,
  peer varchar(300) NOT NULL,
  opened bigint NOT NULL,
  changed bigint NOT NULL,
  size bigint NOT NULL,
  sha256 varchar(64) NOT NULL,
  request_base varchar(32000) NOT NULL,
  request_signature varchar(400) NOT NULL,
  answer_base varchar(32000) NOT NULL,
  answer_signature varchar(400) NOT NULL,
  received varchar(2000) NOT NULL,
  own_statement bytea,
  partner_statement bytea,
  PRIMARY KEY (side, id)
);
CREATE INDEX contract_state ON contract (state, peer);
