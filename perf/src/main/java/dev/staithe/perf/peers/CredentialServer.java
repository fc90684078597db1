package dev.staithe.perf.peers;

import java.util.Set;

/**
 * Our credential service, or the sample that is called with delegations, running. Not thread-safe.
 */
public final class CredentialServer implements Party {
  private final String url;
  private final ManagedProcess process;
  private final String command;

  /**
   * @param url without a slash at the end
   */
  CredentialServer(String url, ManagedProcess process, String command) {
    this.url = url;
    this.process = process;
    this.command = command;
  }

  /** Its address, without a slash at the end. */
  public String url() {
    return url;
  }

  /** The process ids whose CPU time, with that of their children, is the service's. */
  @Override
  public Set<Long> processes() {
    return Set.of(process.pid());
  }

  /** The process id of the service. */
  public long pid() {
    return process.pid();
  }

  @Override
  public String command() {
    return command;
  }

  @Override
  public void close() {
    process.close();
  }
}
