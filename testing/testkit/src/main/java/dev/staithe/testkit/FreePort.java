package dev.staithe.testkit;

import dev.staithe.peers.process.Listening;

/**
 * Ports of the loopback address for servers that must be told theirs before they begin to listen.
 * While one starts, nobody gets its port by chance.
 */
public final class FreePort {
  private FreePort() {}

  /** One at which nobody listens, and which this has not given before. */
  public static int next() {
    return Listening.freePorts(1).getFirst();
  }
}
