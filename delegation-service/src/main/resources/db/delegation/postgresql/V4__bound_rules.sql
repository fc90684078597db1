-- Whether the private key is sealed for the rules and the other columns that stand beside it: it opens no more once
-- these are changed by anybody but the service. Rows from before are sealed anew by the first sweep.
ALTER TABLE delegation ADD COLUMN bound boolean DEFAULT false NOT NULL;
ALTER TABLE delegation_request ADD COLUMN bound boolean DEFAULT false NOT NULL;
