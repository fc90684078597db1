-- Names are held for ever: rows are never deleted.
CREATE TABLE slcs_name (
  provider     VARCHAR(1024) NOT NULL,
  person       VARCHAR(256)  NOT NULL,
  name         VARCHAR(1024) NOT NULL,
  -- As names are compared (RFC 5280 section 7.1).
  canonical    VARCHAR(1024) NOT NULL,
  principal    VARCHAR(256)  NOT NULL,
  first_held   TIMESTAMP WITH TIME ZONE NOT NULL,
  -- Milliseconds since 1970, and the certificates since then.
  window_began BIGINT NOT NULL,
  issued       INTEGER NOT NULL,
  PRIMARY KEY (provider, person),
  CONSTRAINT slcs_name_is_of_one UNIQUE (canonical)
);

-- Tokens of SWITCH's protocol, by their SHA-256.
CREATE TABLE slcs_token (
  hash     CHAR(64) NOT NULL PRIMARY KEY,
  -- Who asked, as JSON.
  identity VARCHAR(65536) NOT NULL,
  until    BIGINT NOT NULL
);

CREATE INDEX slcs_token_until ON slcs_token (until);
