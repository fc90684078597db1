-- Whether a session has ended already is asked when it is written: a login that is written behind its answer
-- may come to the database after the logout, which another node wrote.
create index revocation_session on revocation (session) where session is not null;
create index volatile_revocation_session on volatile_revocation (session) where session is not null;
