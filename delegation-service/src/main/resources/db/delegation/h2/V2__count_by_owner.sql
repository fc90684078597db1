-- How many an owner has is counted from the index alone; rows hold whole chains.

CREATE INDEX delegation_owner_not_after ON delegation (owner, not_after);
CREATE INDEX delegation_request_owner_not_after ON delegation_request (owner, not_after);
