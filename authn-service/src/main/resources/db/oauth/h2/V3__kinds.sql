-- A refresh looks for tokens of a grant by their kind, and for used ones by their time: of months of refreshes there are
-- many.
CREATE INDEX oauth_token_kind ON oauth_token (grant_id, kind, expires);
