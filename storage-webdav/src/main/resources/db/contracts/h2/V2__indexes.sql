-- What is asked at each transfer, and every few seconds, must not pass over contracts that have ended. Where
-- all are of one side H2 took the key of old, which begins with it, and passed over all.

DROP INDEX contract_state;
CREATE INDEX contract_peer ON contract (side, state, peer);
CREATE INDEX contract_age ON contract (side, state, opened);
CREATE INDEX contract_opened ON contract (opened);
