-- Times are milliseconds since 1970 (UTC).

-- Models best-effort, assured-write, assured-read. ------------------------------------------------

create table session (
  id         uuid primary key,
  subject    text     not null,
  created    bigint   not null,
  expires    bigint   not null,
  last_use   bigint   not null,
  assurance  smallint not null,
  address    text     not null,
  client     text     not null
) with (fillfactor = 80); -- room for last_use to change in place
create index session_subject on session (subject, created);
create index session_created on session (created);
create index session_expires on session (expires);

-- The transaction's id, not a sequence, orders the log: a number may be taken long before the row
-- that has it is committed, and whoever has read on would never see that row.
create table revocation (
  xid        xid8   not null default pg_current_xact_id(),
  session    uuid,
  subject    text,
  not_before bigint,
  expires    bigint not null,
  check ((session is null) <> (subject is null)),
  check ((subject is null) = (not_before is null))
);
create index revocation_xid on revocation (xid);
create index revocation_expires on revocation (expires);

-- One row. The generation names the history of this database: it changes whenever transactions that
-- were seen may have been lost, as by a crash, a fail-over or a restore.
create table session_epoch (
  one        boolean primary key default true check (one),
  epoch      bigint not null,
  generation text   not null
);

-- Model off: nothing of it outlives a crash of the database. --------------------------------------

create unlogged table volatile_session (
  id         uuid primary key,
  subject    text     not null,
  created    bigint   not null,
  expires    bigint   not null,
  last_use   bigint   not null,
  assurance  smallint not null,
  address    text     not null,
  client     text     not null
) with (fillfactor = 80);
create index volatile_session_subject on volatile_session (subject, created);
create index volatile_session_created on volatile_session (created);
create index volatile_session_expires on volatile_session (expires);

create unlogged table volatile_revocation (
  xid        xid8   not null default pg_current_xact_id(),
  session    uuid,
  subject    text,
  not_before bigint,
  expires    bigint not null,
  check ((session is null) <> (subject is null)),
  check ((subject is null) = (not_before is null))
);
create index volatile_revocation_xid on volatile_revocation (xid);
create index volatile_revocation_expires on volatile_revocation (expires);

create unlogged table volatile_session_epoch (
  one        boolean primary key default true check (one),
  epoch      bigint not null,
  generation text   not null
);
