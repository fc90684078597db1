-- When the user granted it, in milliseconds since 1970; 0 where that was not written down.
ALTER TABLE oauth_grant ADD COLUMN created bigint DEFAULT 0 NOT NULL;

-- Whether authorization requests need PKCE; OpenID Connect's nonce otherwise.
ALTER TABLE oauth_client ADD COLUMN proof_key boolean DEFAULT true NOT NULL;

-- When the user agreed, in milliseconds since 1970.
ALTER TABLE oauth_consent ADD COLUMN since bigint DEFAULT 0 NOT NULL;
UPDATE oauth_consent SET since = EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000;

-- Access tokens that a refresh followed stay good for their time: what they say is in content, and when they end in
-- expires (seconds). Of a refresh token that was used: the digest of what it was replaced by, and until when it may be
-- used again because the answer was lost.
ALTER TABLE oauth_token ADD COLUMN content text;
ALTER TABLE oauth_token ADD COLUMN expires bigint DEFAULT 0 NOT NULL;
