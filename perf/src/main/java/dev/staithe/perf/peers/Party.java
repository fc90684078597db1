package dev.staithe.perf.peers;

import java.util.Set;

/** Who takes part in a study, running. Not thread-safe. */
public interface Party extends AutoCloseable {
  /** How it was started, for the report, folders shortened. */
  String command();

  /** The process ids whose CPU time, with that of their children, is the party's. */
  Set<Long> processes();

  /** Ends it. */
  @Override
  void close();
}
