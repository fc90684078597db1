package dev.staithe.perf.peers;

import dev.staithe.peers.ManagedProcess;
import java.util.Set;

/** A party that is one process and what descends from it. Not thread-safe. */
abstract class SingleProcess implements Party {
  private final ManagedProcess process;
  private final String command;

  SingleProcess(ManagedProcess process, String command) {
    this.process = process;
    this.command = command;
  }

  final ManagedProcess process() {
    return process;
  }

  /** The process ids whose CPU time, with that of their children, is the party's. */
  @Override
  public Set<Long> processes() {
    return Set.of(process.pid());
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  @Override
  public String command() {
    return command;
  }

  /** Ends every process of it by its id, insisting where one does not end. */
  @Override
  public void close() {
    process.close();
  }
}
