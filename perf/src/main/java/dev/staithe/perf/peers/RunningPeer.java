package dev.staithe.perf.peers;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** A peer that serves. Not thread-safe. */
public interface RunningPeer extends AutoCloseable {
  /** The process ids whose CPU time, with that of their children, is the server's. */
  Set<Long> processes();

  /** The address of {@link #data()} by each door that it has; it ends in a slash. */
  Map<Door, URI> doors();

  /** The folder that it serves: a file put there, readable by all, can be fetched at once. */
  Path data();

  /** The bearer token that it wants with each request; empty where it wants none. */
  String token();

  /** How it was started, for the report, folders shortened. */
  String command();

  /** Ends every process of it by its id, insisting where one does not end. */
  @Override
  void close();
}
