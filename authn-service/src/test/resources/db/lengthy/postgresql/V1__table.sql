-- A change that takes longer than the connection of the test waits for an answer.
CREATE TABLE lengthy (id integer PRIMARY KEY);
SELECT pg_sleep(2);
