package dev.staithe.perf.peers;

import dev.staithe.peers.process.ManagedProcess;
import java.util.Set;

/** A party that is one process and what descends from it. Not thread-safe. */
public abstract class SingleProcess implements Party {
  private final ManagedProcess process;
  private final String command;

  /** Takes the process over, which {@code command} describes to readers. */
  protected SingleProcess(ManagedProcess process, String command) {
    this.process = process;
    this.command = command;
  }

  /** The process itself. */
  protected final ManagedProcess process() {
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
