-- Which cluster and table this row was written in. A restore from a dump brings the row back to another: then nobody knows
-- which sessions were ended after the dump was taken.
alter table session_epoch add column home text;
alter table volatile_session_epoch add column home text;
