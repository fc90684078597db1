-- Times are milliseconds since 1970 (UTC). One node, so that one sequence orders the log.

create table session (
  id         uuid primary key,
  subject    varchar(1000) not null,
  created    bigint        not null,
  expires    bigint        not null,
  last_use   bigint        not null,
  assurance  smallint      not null,
  address    varchar(1000) not null,
  client     varchar(1000) not null
);
create index session_subject on session (subject, created);
create index session_created on session (created);
create index session_expires on session (expires);

create table revocation (
  seq        bigint generated always as identity primary key,
  session    uuid,
  subject    varchar(1000),
  not_before bigint,
  expires    bigint not null
);
create index revocation_expires on revocation (expires);

create table session_epoch (
  one        boolean primary key,
  epoch      bigint not null
);
