package dev.staithe.perf.peers;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A server that is measured: a small unit that starts and stops on free loopback ports. Immutable.
 */
public interface Peer {
  /** Short and unique, as {@code nginx} or {@code staithe-jdk}. */
  String name();

  /** Whether it can be started here. */
  Readiness readiness();

  /**
   * Starts it and waits until it answers.
   *
   * @param site certificates and tokens
   * @param folder an empty folder of its own, for configuration, logs and, below {@link
   *     RunningPeer#data()}, the files that it serves
   * @param core which cores its processes may use
   * @throws IOException where it does not start; the message is one line with the reason that the
   *     program gave. Nothing of it is left running.
   */
  RunningPeer start(Site site, Path folder, Core core) throws IOException;
}
