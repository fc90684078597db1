package dev.staithe.perf.tokens;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Accounts;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A session service that is measured: a unit of servers with their database that starts and stops
 * on free loopback ports. Immutable.
 */
public interface TokenPeer {
  /** Short and unique, as {@code keycloak} or {@code staithe-paper}. */
  String name();

  /** Whether it can be started here. */
  Readiness readiness();

  /**
   * Starts it, with {@link Accounts#USUAL}, and waits until it answers.
   *
   * @param folder an empty folder of its own
   * @param core which cores its processes may use
   * @throws IOException where it does not start; the message is one line with the reason that the
   *     program gave. Nothing of it is left running.
   */
  TokenServer start(Path folder, Core core) throws IOException;
}
