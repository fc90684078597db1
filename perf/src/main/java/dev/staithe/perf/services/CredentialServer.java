package dev.staithe.perf.services;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.SingleProcess;

/**
 * Our credential service, or the sample that is called with delegations, running. Not thread-safe.
 */
public final class CredentialServer extends SingleProcess {
  private final String url;

  /**
   * @param url without a slash at the end
   */
  CredentialServer(String url, ManagedProcess process, String command) {
    super(process, command);
    this.url = url;
  }

  /** Its address, without a slash at the end. */
  public String url() {
    return url;
  }
}
