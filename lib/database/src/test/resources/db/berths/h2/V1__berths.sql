create table berth (name varchar(20) primary key);
