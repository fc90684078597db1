-- Each minute every node asks whose sessions were to end lately: one that was to end them may have been stopped before.
CREATE INDEX user_end_by_time ON user_end (not_before);
