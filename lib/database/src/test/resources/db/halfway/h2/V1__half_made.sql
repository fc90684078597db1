create table half_made (name varchar(20) primary key);
insert into no_such_table values ('the disk is full here');
