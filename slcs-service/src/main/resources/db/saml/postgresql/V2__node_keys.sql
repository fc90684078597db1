-- Keys that nodes sign requests with, by SHA-256, and when one last said that it does. Seconds since 1970.
CREATE TABLE saml_node_key (
  digest varchar(64) PRIMARY KEY,
  seen bigint NOT NULL
);
